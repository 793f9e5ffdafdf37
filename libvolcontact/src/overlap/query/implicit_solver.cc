#include "overlap/query/implicit_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "math/time_limit.h"
#include "overlap/cells/bound_region.h"
#include "overlap/cells/locate.h"
#include "overlap/cells/overlap_proof.h"
#include "overlap/certify/certify.h"
#include "overlap/certify/voxels.h"
#include "overlap/distance/separation.h"
#include "overlap/query/metrics_builder.h"
#include "overlap/query/regions/query_input.h"
#include "overlap/query/regions/region_integral.h"
#include "overlap/query/regions/region_parts.h"
#include "overlap/query/regions/workspace.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Cells of a proof, and before charts are asked.
constexpr long kProofCells = 100'000, kFewProofCells = 300;
// Solids of fewer surfaces have no boundary made: they have a curve at most.
constexpr std::size_t kFewestSurfaces = 3;

bool IsFlat(const Aabb& box) { return box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0); }

// The boundary of a solid of which so much takes part that it is worth making; null where it is
// not, or not known.
const Boundary* BoundaryOf(const IndexedSolid::Part& part, const IndexedSolid& solid,
                           const LazyBoundary& boundary) {
  const std::size_t count = part.solid->surfaces.size();
  if (count < kFewestSurfaces || 2 * count < solid.whole().surfaces.size()) return nullptr;
  const Boundary& whole = boundary.Get(solid.whole(), solid.bounds());
  return whole.IsKnown() ? &whole : nullptr;
}

void TakeBoundary(const Boundary& boundary, Owner body, const Rigid& X_AS, KnownEdges* known) {
  known->body = body;
  known->edges = &boundary.edges();
  known->boxes = &boundary.boxes();
  known->faces = &boundary.faces();
  known->frame = {X_AS * boundary.frame().X_AC, boundary.frame().half};
}

// The numbers in a set of a solid's surfaces, of which a part is there, from `first` on.
void NumberSurfaces(const IndexedSolid::Part& part, const IndexedSolid& solid, int first,
                    std::vector<int>* numbers) {
  numbers->assign(solid.whole().surfaces.size(), -1);
  const int count = static_cast<int>(part.solid->surfaces.size());
  for (int i = 0; i < count; ++i) (*numbers)[part.IsWhole() ? i : part.surfaces[i]] = first + i;
}

// Where the region of a set is in one body: where the other is, whose surfaces are there from
// `first` on, and within the ellipsoid of no owner, if the set ends at one.
void TakeOthers(const ImplicitSolid& other, int first, const SurfaceSet& set, Expression* others) {
  static const Expression everywhere = Expression::Constant(true), below = Expression::Below(0);
  thread_local Expression body;
  others->AssignAnd(everywhere, other.expression, first);
  if (set.owners.back() != Owner::kNone) return;
  std::swap(body, *others);
  others->AssignAnd(body, below, static_cast<int>(set.owners.size()) - 1);
}

// Not settled where the edges are not known, or tell nothing.
RawDerivatives DerivativesAlong(ClosedFormEdges* edges, const Rigid& X_AC, FlatHessian* hessian) {
  PolytopeEdges& flat = edges->flat;
  switch (edges->kind) {
    case ClosedFormEdges::Kind::kCircle:
      return DerivativesOf(edges->circle, X_AC);
    case ClosedFormEdges::Kind::kFlat:
      if (flat.is_degenerate) break;
      std::swap(*hessian->crossings(), flat.crossings);
      return hessian->Run(edges->flat_X_AC, edges->flat_moments,
                          SumsOverCones(flat.cones_B, flat.area_B), flat.moment_B);
    default:
      break;
  }
  return {};
}

}  // namespace

ImplicitSolver::ImplicitSolver(const Solid& A, const Solid& B)
    : A_(A), B_(B), cover_A_(A), cover_B_(B), closed_form_(ClosedForm::Prepare(A, B)) {}

Aabb ImplicitSolver::BoundOverlap(const Rigid& X_AB, const SurfaceSet& set,
                                  const Aabb& hint) const {
  std::optional<Aabb> box = BoundRegion(set, hint);
  if (!box) {
    // A paraboloid of B's may only just close at infinity, which its exact coefficients tell and
    // those turned to A's frame do not.
    const Rigid X_BA = X_AB.Inverse();
    const ImplicitSolid &A = A_.whole(), &B = B_.whole();
    SurfaceSet set_B;
    OverlapSurfaces(B, A, OverlapExpression(B, A), X_BA, &set_B);
    box = BoundRegion(set_B, Intersect(B_.bounds(), Transformed(A_.bounds(), X_BA)));
    if (box) box = Transformed(*box, X_AB);
  }
  if (!box) ThrowUnbounded("the overlap of A and B");
  return *box;
}

Aabb ImplicitSolver::FetchOverlap(const Rigid& X_AB, Workspace* workspace) const {
  Aabb hint;
  workspace->fetcher.Run(A_, B_, X_AB, &workspace->set, &hint);
  return BoundOverlap(X_AB, workspace->set, hint);
}

std::span<const KnownEdges> ImplicitSolver::FindKnownEdges(const Rigid& X_AB,
                                                           Workspace* workspace) const {
  const SurfaceSet& set = workspace->set;
  const IndexedSolid::Part &part_a = workspace->fetcher.part_a(),
                           &part_b = workspace->fetcher.part_b();
  const bool is_plain = !set.has_common && !set.expression.IsConstant();
  if (!is_plain || !part_a.exact || !part_b.exact) return {};
  const int count_a = static_cast<int>(part_a.solid->surfaces.size());
  std::size_t count = 0;
  if (const Boundary* boundary = BoundaryOf(part_a, A_, boundary_A_)) {
    KnownEdges& known = workspace->known[count++];
    TakeBoundary(*boundary, Owner::kA, Rigid(), &known);
    NumberSurfaces(part_a, A_, 0, &known.surfaces);
    TakeOthers(*part_b.solid, count_a, set, &known.others);
  }
  if (const Boundary* boundary = BoundaryOf(part_b, B_, boundary_B_)) {
    KnownEdges& known = workspace->known[count++];
    TakeBoundary(*boundary, Owner::kB, X_AB, &known);
    NumberSurfaces(part_b, B_, count_a, &known.surfaces);
    TakeOthers(*part_a.solid, 0, set, &known.others);
  }
  return {workspace->known.data(), count};
}

bool ImplicitSolver::QueryClosedForm(const Rigid& X_AB, const QueryOptions& options,
                                     Workspace* workspace, RawAnswer* answer) const {
  if (!closed_form_) return false;
  ClosedFormEdges* const edges = options.hessian ? &workspace->closed_form_edges : nullptr;
  const std::optional<ClosedFormResult> result = closed_form_->Evaluate(X_AB, edges);
  if (!result) return false;
  answer->raw = result->raw;
  answer->method = Method::kClosedForm;
  answer->volume_bounds = {result->volume_lower, result->volume_upper};
  // A certainly empty overlap has a gap; another bound may give its size.
  if (result->distance > 0.0 || result->volume_upper > 0.0) answer->distance = result->distance;
  if (edges != nullptr && answer->HasVolume()) {
    answer->derivatives = DerivativesAlong(edges, answer->raw.X_AC, &workspace->flat_hessian);
  }
  return true;
}

void ImplicitSolver::QueryVoxels(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                                 RawAnswer* answer) const {
  answer->method = Method::kVoxel;
  if (IsFlat(box)) return;
  Localize(workspace->set, FrameOf(box), &workspace->problem);
  answer->raw =
      CountVoxels(workspace->problem, options.voxel_size, options.max_cells, options.threads);
  answer->raw.converged &=
      answer->raw.volume_error <= options.tolerance * answer->raw.moments.volume;
}

RawAnswer ImplicitSolver::Query(const Rigid& X_AB, const QueryOptions& options,
                                Workspace* workspace) const {
  RawAnswer answer = Integrate(X_AB, options, workspace);
  // Most formulas do not look at the edges.
  if (options.hessian && answer.HasVolume() && !answer.derivatives.IsSettled()) {
    const bool is_done = TimeLimit::EndsBeforeLimit([&] {
      const Aabb box = FetchOverlap(X_AB, workspace);
      answer.derivatives = Differentiate(box, options, workspace);
    });
    if (!is_done) answer.derivatives.reason = kNoTimeForDerivatives;
  }
  return answer;
}

bool ImplicitSolver::AreCoversApart(const Rigid& X_AB) const {
  return CoverDistance(cover_A_, cover_B_, X_AB, 0.0).is_apart;
}

RawAnswer ImplicitSolver::Integrate(const Rigid& X_AB, const QueryOptions& options,
                                    Workspace* workspace) const {
  RawAnswer answer;
  if (options.method == Method::kClosedForm || options.method == Method::kAuto) {
    if (QueryClosedForm(X_AB, options, workspace, &answer)) return answer;
    if (options.method == Method::kClosedForm) {
      throw InvalidInput("method closed_form has no formula for this pair at this pose; use auto");
    }
  }
  const bool by_edges = options.method == Method::kAuto || options.method == Method::kBoundary;
  if (by_edges && AreCoversApart(X_AB)) {
    answer.method = Method::kBoundary;
    TakeSeparated(&answer);
    return answer;
  }
  const Aabb box = FetchOverlap(X_AB, workspace);
  if (options.method == Method::kVoxel) {
    QueryVoxels(box, options, workspace, &answer);
  } else {
    BodiesOfRegion bodies;
    const auto find_known = [&] { return FindKnownEdges(X_AB, workspace); };
    bodies.find_known = std::cref(find_known);
    bodies.are_proven_apart = [this, &X_AB] {
      // All steps, if the few before did not do.
      constexpr double kAnyGap = std::numeric_limits<double>::min();
      const bool are_apart = AreConvex() ? CoverDistance(cover_A_, cover_B_, X_AB, kAnyGap).is_apart
                                         : AreProvenApart(A_, B_, X_AB);
      return are_apart || DoPlanesSeparate(cover_A_, cover_B_, X_AB);
    };
    IntegrateRegion(box, options, workspace, &answer, bodies);
  }
  if (options.bracket_width > 0.0) NarrowBracket(box, options, workspace, &answer);
  return answer;
}

// Refines the bracket of the volume in the frame of the located overlap.
void ImplicitSolver::NarrowBracket(const Aabb& box, const QueryOptions& options,
                                   Workspace* workspace, RawAnswer* answer) const {
  if (!answer->HasVolume()) return;
  TimeLimit::EndsInTime([&] {
    const Locator::Result located =
        workspace->locator.Run(workspace->set, box, &workspace->problem);
    if (located.empty) return;
    long cells = 0;
    const VolumeBracket bracket = CertifyVolume(
        workspace->problem, {options.max_cells, options.bracket_width, options.threads}, &cells);
    answer->cells += located.cells + cells;
    answer->volume_bounds = {bracket.lower, bracket.upper};
  });
}

// What is one part is answered as a query is, by a formula where there is one.
void ImplicitSolver::Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                             const TakeAnswer& take) const {
  std::vector<RegionPart> parts;
  if (!AreConvex()) {
    if (options.method == Method::kClosedForm || options.method == Method::kVoxel) {
      throw InvalidInput(
          "this method does not find patches of solids that are not both convex; use auto, "
          "boundary or columns");
    }
    const Aabb box = FetchOverlap(X_AB, workspace);
    parts = FindParts(workspace->set, box, workspace);
    if (parts.empty()) return;
  }
  double total = 0.0, error = 0.0;
  std::vector<RawAnswer> undecided;
  const auto give = [&](RawAnswer answer) {
    HoldToBounds(options.tolerance, &answer);
    if (!answer.HasVolume()) return;
    if (answer.undecided) return undecided.push_back(std::move(answer));
    total += answer.raw.moments.volume;
    error += answer.raw.volume_error;
    take(answer);
  };
  if (parts.size() <= 1) {
    give(Query(X_AB, options, workspace));
    for (RawAnswer& answer : undecided) take(answer);
    return;
  }
  for (RegionPart& part : parts) {
    workspace->set = std::move(part.set);
    RawAnswer answer;
    IntegrateRegion(part.box, options, workspace, &answer);
    if (options.bracket_width > 0.0) NarrowBracket(part.box, options, workspace, &answer);
    give(std::move(answer));
  }
  if (undecided.empty()) return;
  // If faces lie on each other, cells never prove that there is nothing; the whole query decides.
  QueryOptions plain = options;
  plain.hessian = false;
  const RawAnswer all = Query(X_AB, plain, workspace);
  const double missing = std::abs(all.raw.moments.volume - total);
  const bool is_nothing =
      all.raw.converged && missing <= error + all.raw.volume_error + options.tolerance * total;
  if (is_nothing) return;
  for (RawAnswer& answer : undecided) take(answer);
}

std::vector<std::optional<RawAnswer>> ImplicitSolver::QuerySectors(const Rigid& X_AB,
                                                                   const Sectors& sectors,
                                                                   const QueryOptions& options,
                                                                   Workspace* workspace) const {
  if (AreCoversApart(X_AB))
    return std::vector<std::optional<RawAnswer>>(static_cast<std::size_t>(sectors.count),
                                                 RawAnswer());
  const Aabb box = FetchOverlap(X_AB, workspace);
  return IntegrateSectors(box, sectors, options, FindKnownEdges(X_AB, workspace), workspace);
}

std::vector<VolumeSample> ImplicitSolver::Samples(const Rigid& X_AB,
                                                  const std::optional<SampleAxis>& axis_A,
                                                  const QueryOptions& options,
                                                  Workspace* workspace) const {
  const Aabb box = FetchOverlap(X_AB, workspace);
  const ColumnMethodOptions columns = {options.tolerance, options.max_cells, options.threads,
                                       false};
  if (axis_A) return workspace->columns.SampleAbout(*axis_A, workspace->set, box, columns);
  return workspace->columns.Sample(workspace->set, box, columns);
}

NearestPair ImplicitSolver::Separate(const Rigid& X_AB, bool are_apart,
                                     Workspace* workspace) const {
  NearestPair found =
      CoverDistance(cover_A_, cover_B_, X_AB, std::numeric_limits<double>::infinity());
  if (found.IsNarrow()) return found;
  found.Improve(SeparationBound(A_, B_, X_AB));
  // Its boundaries are apart: one solid, or a part of it, may lie in the other.
  const Aabb common = Intersect(A_.bounds(), Transformed(B_.bounds(), X_AB));
  const bool one_is_bounded = A_.bounds().IsBounded() || B_.bounds().IsBounded();
  const bool are_known = are_apart || found.is_apart;
  if (found.lower > 0.0 && !are_known && one_is_bounded && !common.IsEmpty() &&
      !IsSeparationProven(X_AB, workspace)) {
    found.lower = 0.0;
  }
  return found;
}

OverlapProof ImplicitSolver::ProveOverlap(const Rigid& X_AB, Workspace* workspace) const {
  return Prove(TestOverlap, X_AB, workspace);
}

bool ImplicitSolver::IsSeparationProven(const Rigid& X_AB, Workspace* workspace) const {
  return Prove(TestSeparation, X_AB, workspace) == OverlapProof::kSeparated;
}

OverlapProof ImplicitSolver::Prove(OverlapTest* search, const Rigid& X_AB,
                                   Workspace* workspace) const {
  OverlapProof formula = OverlapProof::kUndecided;
  std::optional<ClosedFormResult> closed;
  if (closed_form_) closed = closed_form_->Evaluate(X_AB);
  if (closed) formula = ProofFrom(closed->volume_lower, closed->volume_upper);
  if (formula != OverlapProof::kUndecided) return formula;
  if (AreCoversApart(X_AB)) return OverlapProof::kSeparated;
  Aabb hint;
  workspace->fetcher.Run(A_, B_, X_AB, &workspace->set, &hint);
  const Expression& expression = workspace->set.expression;
  if (expression.IsConstant()) {
    return expression.ConstantValue() ? OverlapProof::kOverlap : OverlapProof::kSeparated;
  }
  // Cells see no more than a formula that works in double-double.
  if (closed) return OverlapProof::kUndecided;
  const Aabb box = BoundOverlap(X_AB, workspace->set, hint);
  if (IsFlat(box)) return OverlapProof::kSeparated;
  // Cells are many where surfaces nearly coincide.
  const OverlapProof soon = TestOverlap(workspace->set, FrameOf(box), kFewProofCells);
  if (soon != OverlapProof::kUndecided) return soon;
  if (AreProvenApart(A_, B_, X_AB)) return OverlapProof::kSeparated;
  return search(workspace->set, FrameOf(box), kProofCells);
}

}  // namespace volcontact
