#include "volcontact/overlap/prepared_pair.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "overlap/cells/bound_region.h"
#include "overlap/cells/overlap_proof.h"
#include "overlap/certify/voxels.h"
#include "overlap/closed_forms/closed_form.h"
#include "overlap/distance/separation.h"
#include "overlap/query/metrics_builder.h"
#include "overlap/query/workspace.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr long kOverlapCells = 100'000;
// Columns after which the patch quadrature gives up and leaves the pair to the octree.
constexpr long kPatchColumns = 100'000;

// The distance of two boxes in one frame.
double BoxDistance(const Aabb& a, const Aabb& b) {
  return (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(0.0).norm();
}

void RequireMeshMethod(Method method) {
  if (method == Method::kAuto || method == Method::kMesh) return;
  throw InvalidInput("method " + MethodName(method) +
                     " does not apply to meshes; use auto or mesh");
}

}  // namespace

std::string MethodName(Method method) {
  switch (method) {
    case Method::kAuto:
      return "auto";
    case Method::kClosedForm:
      return "closed_form";
    case Method::kPatch:
      return "patch";
    case Method::kOctree:
      return "octree";
    case Method::kMesh:
      return "mesh";
    case Method::kVoxel:
      return "voxel";
  }
  return "unknown";
}

// Frames A and B are those of the solids without their own outer poses X_PA, X_QB.
struct PreparedPair::Impl {
  Rigid X_PA, X_QB;
  ImplicitSolid A, B;
  Aabb bounds_a, bounds_b;
  Expression unmerged;
  std::optional<ClosedForm> closed_form;
  std::optional<MeshPair> meshes;
  std::optional<MeshCsg> mesh_csg;

  Impl(const Unposed& a, const Unposed& b)
      : X_PA(a.X_PS),
        X_QB(b.X_PS),
        bounds_a(a.solid.Bounds()),
        bounds_b(b.solid.Bounds()),
        meshes(MeshPair::Prepare(a.solid, b.solid)) {
    if (meshes) return;
    mesh_csg = MeshCsg::Prepare(a.solid, b.solid);
    if (mesh_csg) return;
    A = Compile(a.solid);
    B = Compile(b.solid);
    unmerged = OverlapExpression(A, B);
    closed_form = ClosedForm::Prepare(a.solid, b.solid);
  }

  Rigid RelativeOf(const Rigid& X_WP, const Rigid& X_WQ) const {
    return RelativePose(X_WP * X_PA, X_WQ * X_QB);
  }

  Aabb HintBox(const Rigid& X_AB) const { return Intersect(bounds_a, Transformed(bounds_b, X_AB)); }
  Aabb OverlapBox(const Rigid& X_AB, const SurfaceSet& set) const;

  Metrics Query(const Rigid& X_WP, const Rigid& X_WQ, const QueryOptions& options) const;
  bool QueryClosedForm(const Rigid& X_AB, const QueryOptions& options,
                       MetricsBuilder* builder) const;
  bool QueryPatch(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                  MetricsBuilder* builder) const;
  void QueryOctree(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                   MetricsBuilder* builder) const;
  std::vector<Metrics> QueryPatches(const Rigid& X_WP, const Rigid& X_WQ,
                                    const QueryOptions& options) const;
  void QueryVoxels(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                   MetricsBuilder* builder) const;
  double Distance(const Rigid& X_AB) const {
    if (meshes) return meshes->DistanceBound(X_AB);
    if (mesh_csg) return BoxDistance(bounds_a, Transformed(bounds_b, X_AB));
    return SeparationBound(A, bounds_a, B, bounds_b, X_AB);
  }
};

// A bounded box around the overlap, of which `set` holds the surfaces, in A; or an exception.
Aabb PreparedPair::Impl::OverlapBox(const Rigid& X_AB, const SurfaceSet& set) const {
  std::optional<Aabb> box = BoundRegion(set, HintBox(X_AB));
  if (!box) {
    // A paraboloid of B's may only just close at infinity, which its exact coefficients tell and
    // those turned to A's frame do not.
    const Rigid X_BA = X_AB.Inverse();
    SurfaceSet set_B;
    OverlapSurfaces(B, A, OverlapExpression(B, A), X_BA, &set_B);
    box = BoundRegion(set_B, Intersect(bounds_b, Transformed(bounds_a, X_BA)));
    if (box) box = Transformed(*box, X_AB);
  }
  if (!box) ThrowUnbounded("the overlap of A and B");
  return *box;
}

bool PreparedPair::Impl::QueryClosedForm(const Rigid& X_AB, const QueryOptions&,
                                         MetricsBuilder* builder) const {
  if (!closed_form) return false;
  const std::optional<ClosedFormResult> result = closed_form->Evaluate(X_AB);
  if (!result) return false;
  builder->SetRaw(result->raw, Method::kClosedForm);
  builder->SetBracket(result->volume_lower, result->volume_upper);
  builder->SetDistance(result->distance);
  return true;
}

bool PreparedPair::Impl::QueryPatch(const Rigid& X_AB, const QueryOptions& options,
                                    Workspace* workspace, MetricsBuilder* builder) const {
  if (!A.convex || !B.convex) return false;
  OverlapSurfaces(A, B, unmerged, X_AB, &workspace->set);
  const Aabb box = OverlapBox(X_AB, workspace->set);
  const std::optional<PolarMethodResult> result = workspace->polar.Run(
      workspace->set, box, {options.tolerance, std::min(options.max_cells, kPatchColumns)});
  if (!result) return false;
  builder->SetRaw(result->raw, Method::kPatch);
  builder->SetCounts(result->cells, result->sectors);
  if (options.certify && result->raw.moments.volume > 0.0) {
    const ColumnMethodResult octree = workspace->columns.Run(
        workspace->set, box, {1e-3, options.max_cells, options.threads, true});
    builder->SetBracket(octree.bracket.lower, octree.bracket.upper);
  }
  return true;
}

void PreparedPair::Impl::QueryOctree(const Rigid& X_AB, const QueryOptions& options,
                                     Workspace* workspace, MetricsBuilder* builder) const {
  OverlapSurfaces(A, B, unmerged, X_AB, &workspace->set);
  const Aabb box = OverlapBox(X_AB, workspace->set);
  const ColumnMethodResult result = workspace->columns.Run(
      workspace->set, box, {options.tolerance, options.max_cells, options.threads, true});
  builder->SetRaw(result.raw, Method::kOctree);
  builder->SetCounts(result.cells, result.leaves);
  builder->SetBracket(result.bracket.lower, result.bracket.upper);
}

void PreparedPair::Impl::QueryVoxels(const Rigid& X_AB, const QueryOptions& options,
                                     Workspace* workspace, MetricsBuilder* builder) const {
  OverlapSurfaces(A, B, unmerged, X_AB, &workspace->set);
  const Aabb box = OverlapBox(X_AB, workspace->set);
  if (box.IsEmpty()) return builder->SetRaw({}, Method::kVoxel);
  LocalFrame frame;
  frame.X_AC.t = ToDoubleDouble(box.Center());
  frame.half = box.HalfExtents();
  if (!(frame.half.minCoeff() > 0.0)) return builder->SetRaw({}, Method::kVoxel);
  Localize(workspace->set, frame, &workspace->problem);
  RawMetrics raw =
      CountVoxels(workspace->problem, options.voxel_size, options.max_cells, options.threads);
  raw.converged &= raw.volume_error <= options.tolerance * raw.moments.volume;
  builder->SetRaw(raw, Method::kVoxel);
}

Metrics PreparedPair::Impl::Query(const Rigid& X_WP, const Rigid& X_WQ,
                                  const QueryOptions& options) const {
  const Clock::time_point start = Clock::now();
  Workspace& workspace = ThreadWorkspace();
  const Rigid X_AB = RelativeOf(X_WP, X_WQ);
  MetricsBuilder builder(X_WP * X_PA, options);
  bool done = false;
  if (meshes) {
    RequireMeshMethod(options.method);
    meshes->Query(X_AB, &workspace.meshes, &builder);
    if (options.bound_distance && builder.NeedsDistance()) builder.SetDistance(Distance(X_AB));
    return builder.Finish(SecondsSince(start));
  }
  if (mesh_csg) {
    if (options.method != Method::kAuto && options.method != Method::kOctree) {
      throw InvalidInput("method " + MethodName(options.method) +
                         " does not apply to a mesh with curved primitives; use auto or octree");
    }
    mesh_csg->Query(X_AB, options, &workspace.mesh_csg, &builder);
    if (options.bound_distance && builder.NeedsDistance()) builder.SetDistance(Distance(X_AB));
    return builder.Finish(SecondsSince(start));
  }
  switch (options.method) {
    case Method::kMesh:
      throw InvalidInput("method mesh needs a triangle mesh, and neither solid is one; use auto");
    case Method::kVoxel:
      QueryVoxels(X_AB, options, &workspace, &builder);
      break;
    case Method::kClosedForm:
      if (!QueryClosedForm(X_AB, options, &builder)) {
        throw InvalidInput(
            "method closed_form has no formula for this pair at this pose; use auto");
      }
      break;
    case Method::kPatch:
      if (!A.convex || !B.convex) {
        throw InvalidInput("method patch needs two convex solids; use auto or octree");
      }
      done = QueryPatch(X_AB, options, &workspace, &builder);
      if (!done) {
        builder.Warn("the patch quadrature did not apply; the octree answered instead");
        QueryOctree(X_AB, options, &workspace, &builder);
      }
      break;
    case Method::kAuto:
      done = QueryClosedForm(X_AB, options, &builder) ||
             QueryPatch(X_AB, options, &workspace, &builder);
      if (!done) QueryOctree(X_AB, options, &workspace, &builder);
      break;
    case Method::kOctree:
      QueryOctree(X_AB, options, &workspace, &builder);
      break;
  }
  if (options.bound_distance && builder.NeedsDistance()) builder.SetDistance(Distance(X_AB));
  return builder.Finish(SecondsSince(start));
}

std::vector<Metrics> PreparedPair::Impl::QueryPatches(const Rigid& X_WP, const Rigid& X_WQ,
                                                      const QueryOptions& options) const {
  if (meshes) {
    RequireMeshMethod(options.method);
    const Clock::time_point start = Clock::now();
    std::vector<Metrics> patches = meshes->QueryPatches(X_WP * X_PA, RelativeOf(X_WP, X_WQ),
                                                        options, &ThreadWorkspace().meshes);
    const double seconds = SecondsSince(start);
    for (Metrics& patch : patches) patch.stats.seconds = seconds;
    return patches;
  }
  if (mesh_csg || !A.convex || !B.convex) {
    throw InvalidInput(
        "contact patches of A and B: they are told apart for a mesh with a mesh, box, slab or "
        "half-space, and where both solids are convex; give the other solid as a mesh");
  }
  Metrics whole = Query(X_WP, X_WQ, options);
  if (!whole.overlap) return {};
  return {std::move(whole)};
}

PreparedPair::PreparedPair(const Solid& A, const Solid& B)
    : impl_(std::make_unique<const Impl>(Unposed(A), Unposed(B))) {}
PreparedPair::~PreparedPair() = default;
PreparedPair::PreparedPair(PreparedPair&&) noexcept = default;
PreparedPair& PreparedPair::operator=(PreparedPair&&) noexcept = default;

Metrics PreparedPair::Query(const Pose& X_WA, const Pose& X_WB, const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  return impl_->Query(Rigid(X_WA), Rigid(X_WB), options);
}

Metrics PreparedPair::Query(const Pose& X_AB, const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePose(X_AB, "pose of B in A");
  return impl_->Query(Rigid(), Rigid(X_AB), options);
}

std::vector<Metrics> PreparedPair::QueryPatches(const Pose& X_WA, const Pose& X_WB,
                                                const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  return impl_->QueryPatches(Rigid(X_WA), Rigid(X_WB), options);
}

std::vector<Metrics> PreparedPair::QueryBatch(const std::vector<Pose>& poses_AB,
                                              const QueryOptions& options) const {
  ValidateOptions(options);
  for (std::size_t i = 0; i < poses_AB.size(); ++i) {
    ValidatePose(poses_AB[i], fmt::format("pose {} of the batch", i));
  }
  std::vector<Metrics> results(poses_AB.size());
  QueryOptions single = options;
  single.threads = 1;
  ParallelFor(poses_AB.size(), options.threads, [&](std::size_t i, int) {
    results[i] = impl_->Query(Rigid(), Rigid(poses_AB[i]), single);
  });
  return results;
}

std::vector<VolumeSample> PreparedPair::SampleVolume(const Pose& X_WA, const Pose& X_WB,
                                                     const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  if (impl_->meshes || impl_->mesh_csg) {
    throw InvalidInput("samples of the overlap volume exist for implicit solids only, not meshes");
  }
  const Rigid X_WP(X_WA);
  const Rigid X_AB = impl_->RelativeOf(X_WP, Rigid(X_WB));
  Workspace& workspace = ThreadWorkspace();
  OverlapSurfaces(impl_->A, impl_->B, impl_->unmerged, X_AB, &workspace.set);
  const Aabb box = impl_->OverlapBox(X_AB, workspace.set);
  std::vector<VolumeSample> samples = workspace.columns.Sample(
      workspace.set, box, {options.tolerance, options.max_cells, options.threads, false});
  const Rigid X_WS = X_WP * impl_->X_PA;
  for (VolumeSample& sample : samples) {
    sample.point_W = Round(X_WS * ToDoubleDouble(sample.point_W));
  }
  return samples;
}

bool PreparedPair::Overlaps(const Pose& X_WA, const Pose& X_WB) const {
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  const Rigid X_AB = impl_->RelativeOf(Rigid(X_WA), Rigid(X_WB));
  if (impl_->meshes || impl_->mesh_csg) return Query(X_WA, X_WB).overlap;
  if (impl_->closed_form) {
    const std::optional<ClosedFormResult> result = impl_->closed_form->Evaluate(X_AB);
    if (result) return result->raw.moments.volume > 0.0;
  }
  Workspace& workspace = ThreadWorkspace();
  OverlapSurfaces(impl_->A, impl_->B, impl_->unmerged, X_AB, &workspace.set);
  if (workspace.set.expression.IsConstant()) return workspace.set.expression.ConstantValue();
  const Aabb box = impl_->OverlapBox(X_AB, workspace.set);
  if (box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0)) return false;
  LocalFrame frame;
  frame.X_AC.t = ToDoubleDouble(box.Center());
  frame.half = box.HalfExtents();
  return TestOverlap(workspace.set, frame, kOverlapCells) == OverlapProof::kOverlap;
}

double PreparedPair::DistanceBound(const Pose& X_WA, const Pose& X_WB) const {
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  return impl_->Distance(impl_->RelativeOf(Rigid(X_WA), Rigid(X_WB)));
}

double PreparedPair::EventFunction(const Pose& X_WA, const Pose& X_WB) const {
  const Metrics metrics = Query(X_WA, X_WB);
  return metrics.overlap ? -std::cbrt(metrics.volume) : metrics.distance;
}

Metrics Query(const Solid& A, const Solid& B, const QueryOptions& options) {
  return PreparedPair(A, B).Query(Pose{}, options);
}

VOLCONTACT_NAMESPACE_END
