#include "overlap/query/polyhedral_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "math/time_limit.h"
#include "overlap/distance/meshes/mesh_distance.h"
#include "overlap/meshes/flat_samples.h"
#include "overlap/meshes/mesh_patches.h"
#include "overlap/query/regions/workspace.h"
#include "solids/mesh/box_mesh.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Meshes are answered to this bound of the relative error whatever is asked: it costs little more.
constexpr double kPrecision = 1e-10;
// A proof only needs the digits that separate the volume from zero.
constexpr double kProofPrecision = 0.5;

bool IsMesh(const Solid& solid) { return std::holds_alternative<MeshShape>(solid.node().shape); }

bool IsPolyhedral(const Solid& solid) {
  const Shape& shape = solid.node().shape;
  return IsMesh(solid) || std::holds_alternative<BoxShape>(shape) ||
         std::holds_alternative<SlabShape>(shape) || std::holds_alternative<HalfSpaceShape>(shape);
}

void RequireMeshMethod(Method method) {
  if (method == Method::kAuto || method == Method::kBoundary) return;
  throw InvalidInput("method " + MethodName(method) +
                     " does not apply to meshes; use auto or boundary");
}

// The half-space z <= 0 of frame H in frame M, X_MH.
MeshPlane PlaneOf(const Rigid& X_MH) {
  MeshPlane plane;
  DoubleDouble offset = 0.0;
  for (int i = 0; i < 3; ++i) {
    plane.n[i] = X_MH.R[i][2];
    offset += plane.n[i] * X_MH.t[i];
  }
  plane.d = -offset;
  return plane;
}

}  // namespace

bool PolyhedralSolver::Applies(const Solid& A, const Solid& B) {
  return (IsMesh(A) || IsMesh(B)) && IsPolyhedral(A) && IsPolyhedral(B);
}

PolyhedralSolver::PolyhedralSolver(const Solid& A, const Solid& B) : A_(A), B_(B) {}

PolyhedralSolver::Side::Side(const Solid& solid) {
  const Shape& shape = solid.node().shape;
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) tree = mesh->mesh;
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    const Eigen::Vector3d half = 0.5 * Eigen::Vector3d(box->size[0], box->size[1], box->size[2]);
    tree = std::make_shared<const MeshTree>(BoxMesh(-half, half));
  }
  if (const auto* slab = std::get_if<SlabShape>(&shape)) slab_thickness = slab->thickness;
}

// The size changes at few poses, so that the previous box usually serves.
Aabb PolyhedralSolver::BoxFor(const Rigid& X_AB) const {
  const Aabb& bounds = mesh().bounds();
  const double thickness = slab_thickness();
  const double size = bounds.min.cwiseAbs().cwiseMax(bounds.max.cwiseAbs()).norm();
  const double least = 2.0 * (Round(X_AB.t).norm() + size) + thickness;
  const double reach = size * std::exp2(4.0 * std::ceil(0.25 * std::log2(least / size)));
  if (thickness == 0.0) return {{-reach, -reach, -reach}, {reach, reach, 0.0}};
  const Eigen::Vector3d half(reach, reach, 0.5 * thickness);
  return {-half, half};
}

MeshOverlapResult PolyhedralSolver::Overlay(const Rigid& X_AB, double precision, int threads,
                                            Workspace* workspace) const {
  if (!A_.tree || !B_.tree) {
    const Aabb box = BoxFor(X_AB);
    std::optional<MeshTree>& last = workspace->box;
    const bool is_made = last && last->bounds().min == box.min && last->bounds().max == box.max;
    if (!is_made) last.emplace(BoxMesh(box.min, box.max));
  }
  return workspace->mesh_overlap.Run(A_.tree ? *A_.tree : *workspace->box,
                                     B_.tree ? *B_.tree : *workspace->box, X_AB, precision,
                                     threads);
}

RawAnswer PolyhedralSolver::QueryMeshes(const Rigid& X_AB, const QueryOptions& options,
                                        Workspace* workspace) const {
  const double tolerance = options.tolerance;
  const MeshOverlapResult result =
      Overlay(X_AB, std::min(kPrecision, tolerance), options.threads, workspace);
  RawAnswer answer;
  answer.raw = result.raw;
  answer.raw.converged = result.raw.volume_error <= tolerance * result.raw.moments.volume;
  answer.method = Method::kBoundary;
  answer.volume_bounds = {result.volume_lower, result.volume_upper};
  answer.cells = result.crossings;
  answer.leaves = result.pieces;
  FlatProjection* const projection = &workspace->flat_projection;
  projection->Begin(&workspace->mesh_overlap, X_AB);
  answer.contact_area = [projection](const Eigen::Vector3d& n) { return projection->Run(n); };
  if (options.hessian && answer.HasVolume()) {
    const bool is_done = TimeLimit::EndsBeforeLimit(
        [&] { answer.derivatives = DifferentiateMeshes(answer.raw, workspace); });
    if (!is_done) answer.derivatives.reason = kNoTimeForDerivatives;
  }
  return answer;
}

RawDerivatives PolyhedralSolver::DifferentiateMeshes(const RawMetrics& raw,
                                                     Workspace* workspace) const {
  MeshOverlap& overlap = workspace->mesh_overlap;
  RawDerivatives none;
  none.reason = kFlushBodies;
  if (overlap.IsFlush()) return none;
  FlatHessian& hessian = workspace->flat_hessian;
  overlap.ListCrossings(hessian.crossings());
  return hessian.Run(raw.X_AC, raw.moments, overlap.SumsOfB(), overlap.MomentOfB());
}

MeshCut PolyhedralSolver::Cut(const Rigid& X_AB, double precision, MeshCutter* cutter) const {
  return cutter->Cut(mesh(), PlaneOf(A_.tree ? X_AB : X_AB.Inverse()), precision);
}

RawAnswer PolyhedralSolver::QueryHalfSpace(const Rigid& X_AB, const QueryOptions& options,
                                           Workspace* workspace) const {
  const double tolerance = options.tolerance;
  MeshCutter* const cutter = &workspace->mesh_cutter;
  const MeshCut cut = Cut(X_AB, std::min(kPrecision, tolerance), cutter);
  const bool mesh_is_a = A_.tree != nullptr;
  RawAnswer answer;
  RawMetrics& raw = answer.raw;
  const double volume = cut.moments.volume;
  if (volume > cut.error) {
    raw.moments = cut.moments;
    const double sign = mesh_is_a ? 1.0 : -1.0;
    raw.area = sign * cut.area;
    raw.torque = sign * cut.torque;
    raw.volume_error = cut.error;
    raw.converged = cut.error <= tolerance * volume;
    Rigid X_MC;
    X_MC.t = cut.origin;
    raw.X_AC = mesh_is_a ? X_MC : X_AB * X_MC;
    answer.volume_bounds = {volume - cut.error, volume + cut.error};
    if (options.hessian) answer.derivatives = DifferentiateHalfSpace(raw, X_AB, cut, workspace);
  } else {
    answer.volume_bounds = {0.0, std::max(0.0, volume + cut.error)};
  }
  answer.method = Method::kBoundary;
  answer.cells = answer.leaves = cut.faces;
  FlatProjection* const projection = &workspace->flat_projection;
  projection->Begin(cutter);
  answer.contact_area = [projection](const Eigen::Vector3d& n) { return projection->Run(n); };
  return answer;
}

RawDerivatives PolyhedralSolver::DifferentiateHalfSpace(const RawMetrics& raw, const Rigid& X_AB,
                                                        const MeshCut& cut,
                                                        Workspace* workspace) const {
  RawDerivatives none;
  none.reason = kFlushBodies;
  if (cut.has_flush) return none;
  const bool mesh_is_a = A_.tree != nullptr;
  const MeshPlane plane = PlaneOf(mesh_is_a ? X_AB : X_AB.Inverse());
  // The section's torque gives its first moments across n: all fluxes vanish in the plane of the
  // origin, and the integral of p n' is left.
  const Eigen::Vector3d n = Round(plane.n);
  Eigen::Matrix3d moment = n.cross(cut.torque) * n.transpose();
  VolumeMoments cones;
  if (!mesh_is_a) {
    // The mesh's faces are the rest of a closed surface.
    moment = cut.moments.volume * Eigen::Matrix3d::Identity() - moment;
    cones = cut.moments;
  }
  FlatHessian& hessian = workspace->flat_hessian;
  workspace->mesh_cutter.ListCrossings(mesh_is_a, hessian.crossings());
  return hessian.Run(raw.X_AC, raw.moments, SumsOverCones(cones, raw.area), moment);
}

RawAnswer PolyhedralSolver::Query(const Rigid& X_AB, const QueryOptions& options,
                                  Workspace* workspace) const {
  RequireMeshMethod(options.method);
  return IsCut() ? QueryHalfSpace(X_AB, options, workspace) : QueryMeshes(X_AB, options, workspace);
}

void PolyhedralSolver::Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                               const TakeAnswer& take) const {
  RequireMeshMethod(options.method);
  if (!(Overlay(X_AB, options.tolerance, options.threads, workspace).raw.moments.volume > 0.0))
    return;
  for (MeshPatch& patch : FindPatches(&workspace->mesh_overlap)) {
    RawAnswer answer;
    answer.raw = patch.raw;
    answer.derivatives.reason = kNoPatchDerivatives;
    answer.raw.converged = patch.raw.volume_error <= options.tolerance * patch.raw.moments.volume;
    answer.method = Method::kBoundary;
    answer.volume_bounds = {patch.volume_lower, patch.volume_upper};
    answer.cells = patch.crossings;
    answer.leaves = static_cast<long>(patch.areas.size());
    answer.contact_area = [&patch](const Eigen::Vector3d& n) { return patch.ContactArea(n); };
    take(answer);
  }
}

std::vector<VolumeSample> PolyhedralSolver::Samples(const Rigid& X_AB,
                                                    const std::optional<SampleAxis>& axis_A,
                                                    const QueryOptions& options,
                                                    Workspace* workspace) const {
  if (!(Overlay(X_AB, options.tolerance, options.threads, workspace).raw.moments.volume > 0.0))
    return {};
  MeshOverlap& overlap = workspace->mesh_overlap;
  return SampleFlatFaces(overlap.BoundaryTriangles(), overlap.origin(), axis_A);
}

NearestPair PolyhedralSolver::SurfaceGap(const Rigid& X_AB) const {
  if (A_.tree && B_.tree) return MeshDistance(*A_.tree, *B_.tree, X_AB);
  const MeshPlane plane = PlaneOf(A_.tree ? X_AB : X_AB.Inverse());
  NearestPair gap;
  if (slab_thickness() == 0.0) {
    gap = MeshHeight(mesh(), plane);
  } else {
    // Above the slab's upper face, or below its lower one.
    const DoubleDouble half = 0.5 * slab_thickness();
    const MeshPlane upper = {plane.n, plane.d - half};
    const MeshPlane lower = {{-plane.n[0], -plane.n[1], -plane.n[2]}, -plane.d - half};
    gap = MeshHeight(mesh(), upper);
    const NearestPair below = MeshHeight(mesh(), lower);
    if (below.lower > gap.lower) gap = below;
  }
  return A_.tree ? gap : gap.Moved(X_AB.RotationDouble(), Round(X_AB.t)).Swapped();
}

NearestPair PolyhedralSolver::Separate(const Rigid& X_AB, bool are_apart,
                                       Workspace* workspace) const {
  NearestPair gap = SurfaceGap(X_AB);
  if (!(gap.lower > 0.0) || are_apart || !A_.tree || !B_.tree) return gap;
  const Aabb common = Intersect(A_.tree->bounds(), Transformed(B_.tree->bounds(), X_AB));
  if (common.IsEmpty()) return gap;
  if (ProveOverlap(X_AB, workspace) == OverlapProof::kOverlap) gap.lower = 0.0;
  return gap;
}

// The topology is exact: a bracket of exactly zero means that nothing crosses or lies inside.
OverlapProof PolyhedralSolver::ProveOverlap(const Rigid& X_AB, Workspace* workspace) const {
  if (IsCut()) {
    const MeshCut cut = Cut(X_AB, kProofPrecision, &workspace->mesh_cutter);
    return ProofFrom(cut.moments.volume - cut.error, cut.moments.volume + cut.error);
  }
  const MeshOverlapResult result = Overlay(X_AB, kProofPrecision, 1, workspace);
  return ProofFrom(result.volume_lower, result.volume_upper);
}

}  // namespace volcontact
