#include "overlap/query/mixed_solver.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "math/time_limit.h"
#include "overlap/mixed/mixed_parts.h"
#include "overlap/query/regions/query_input.h"
#include "overlap/query/regions/workspace.h"
#include "solids/mesh/flush_tolerance.h"
#include "solids/mesh_boolean/planar_form.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

void RequireApplicable(Method method) {
  if (method != Method::kClosedForm && method != Method::kVoxel) return;
  throw InvalidInput(
      "method " + MethodName(method) +
      " does not apply to a mesh with curved primitives; use auto, boundary or columns");
}

}  // namespace

MixedSolver::MixedSolver(const Solid& A, const Solid& B)
    : overlap_(A, B), distance_(A, B), bounds_a_(A.Bounds()), bounds_b_(B.Bounds()) {
  const std::optional<Solid> a = WithHalfSpacesForMeshes(A), b = WithHalfSpacesForMeshes(B);
  if (a && b) by_half_spaces_ = std::make_unique<const ImplicitSolver>(*a, *b);
  const auto& variants = overlap_.variants();
  const auto is_in_b = [](const auto& leaf) { return leaf.in_b; };
  const auto& leaves = overlap_.leaves();
  are_in_both_ = std::any_of(leaves.begin(), leaves.end(), is_in_b) &&
                 !std::all_of(leaves.begin(), leaves.end(), is_in_b);
  has_several_terms_ = std::count_if(variants.begin(), variants.end(),
                                     [](const auto& variant) { return !variant.is_empty; }) > 1;
}

Aabb MixedSolver::OverlapBox(const Rigid& X_AB) const {
  Aabb box = Intersect(bounds_a_, Transformed(bounds_b_, X_AB));
  if (!box.IsBounded() && !box.IsEmpty()) ThrowUnbounded("the overlap of A and B");
  return box;
}

bool MixedSolver::AreFlush(const Rigid& X_AB) const {
  const ImplicitSolid &A = by_half_spaces_->A().whole(), &B = by_half_spaces_->B().whole();
  const double size = std::max({A.length, B.length, Round(X_AB.t).cwiseAbs().maxCoeff()});
  const Eigen::Matrix3d R = X_AB.RotationDouble();
  const Eigen::Vector3d t = Round(X_AB.t);
  const auto normal = [](const SurfacePolynomial& f) {
    return Eigen::Vector3d(f.c[kX].hi, f.c[kY].hi, f.c[kZ].hi);
  };
  for (const SurfacePolynomial& g : B.surfaces) {
    if (g.degree != 1) continue;
    const double unit = 1.0 / normal(g).norm();
    const Eigen::Vector3d n = unit * (R * normal(g));
    const double offset = n.dot(t) - unit * g.c[kOne].hi;
    const bool is_on_other =
        std::any_of(A.surfaces.begin(), A.surfaces.end(), [&](const SurfacePolynomial& f) {
          if (f.degree != 1) return false;
          const double length = normal(f).norm(), sign = normal(f).dot(n) < 0.0 ? -1.0 : 1.0;
          const double turn = (sign / length * normal(f) - n).cwiseAbs().maxCoeff();
          return turn <= kFlushTolerance &&
                 std::abs(sign / length * f.c[kOne].hi + offset) <= kFlushTolerance * size;
        });
    if (is_on_other) return true;
  }
  return false;
}

RawAnswer MixedSolver::Integrate(const Rigid& X_AB, const QueryOptions& options,
                                 Workspace* workspace) const {
  const Aabb box = OverlapBox(X_AB);
  MixedWorkspace* const mixed = &workspace->mixed;
  if (!by_half_spaces_ || options.method == Method::kColumns) {
    return overlap_.Query(X_AB, box, options, mixed);
  }
  // Sums over arcs of several terms give a lower bound of the contact area only, and those over
  // meshes of both bodies no Hessian.
  const bool tell_more = (has_several_terms_ && options.contact_area) ||
                         (are_in_both_ && options.hessian) || AreFlush(X_AB);
  RawAnswer by_arcs;
  if (!tell_more) {
    by_arcs = overlap_.QueryByArcs(X_AB, box, options, mixed);
    if (by_arcs.fallback.empty()) return by_arcs;
  }
  RawAnswer by_half_spaces = by_half_spaces_->Query(X_AB, options, workspace);
  const RawMetrics& raw = by_half_spaces.raw;
  // Where faces lie on each other no other method has a better area vector.
  const bool has_volume =
      raw.moments.volume > 0.0 && raw.volume_error <= options.tolerance * raw.moments.volume;
  if ((raw.converged || has_volume) && !by_half_spaces.undecided) return by_half_spaces;
  if (tell_more) return overlap_.Query(X_AB, box, options, mixed);
  return overlap_.QueryByColumns(X_AB, box, options, std::move(by_arcs.fallback), mixed);
}

RawAnswer MixedSolver::Query(const Rigid& X_AB, const QueryOptions& options,
                             Workspace* workspace) const {
  RequireApplicable(options.method);
  RawAnswer answer = Integrate(X_AB, options, workspace);
  // Where it is in doubt, a distance may prove that there is nothing.
  if (!answer.raw.converged && !TimeLimit::IsOver() && AreApart(X_AB)) {
    const Method method = answer.method;
    answer = RawAnswer();
    answer.method = method;
    answer.volume_bounds = {0.0, 0.0};
  }
  return answer;
}

void MixedSolver::Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                          const TakeAnswer& take) const {
  RequireApplicable(options.method);
  const Aabb box = OverlapBox(X_AB);
  if (box.IsEmpty() || AreApart(X_AB)) return;
  // They treat faces on each other as the whole does, and know the parts from one search.
  if (by_half_spaces_ && options.method != Method::kColumns) {
    QueryOptions plain = options;
    plain.hessian = false;
    const RawAnswer whole = by_half_spaces_->Query(X_AB, plain, workspace);
    if (whole.raw.converged && !whole.undecided) {
      return by_half_spaces_->Patches(X_AB, options, workspace, take);
    }
  }
  ForEachPart(overlap_, X_AB, box, options, &workspace->mixed, take);
}

std::vector<VolumeSample> MixedSolver::Samples(const Rigid& X_AB,
                                               const std::optional<SampleAxis>& axis_A,
                                               const QueryOptions& options,
                                               Workspace* workspace) const {
  const Aabb box = OverlapBox(X_AB);
  if (box.IsEmpty() || AreApart(X_AB)) return {};
  return overlap_.Sample(X_AB, box, axis_A, options, &workspace->mixed);
}

NearestPair MixedSolver::Separate(const Rigid& X_AB, bool, Workspace*) const {
  return distance_.Run(X_AB);
}

bool MixedSolver::AreApart(const Rigid& X_AB) const { return distance_.Run(X_AB).lower > 0.0; }

// A distance is found sooner than an overlap, and cannot be mistaken if both are thin.
OverlapProof MixedSolver::ProveOverlap(const Rigid& X_AB, Workspace* workspace) const {
  const Aabb box = OverlapBox(X_AB);
  if (box.IsEmpty() || AreApart(X_AB)) return OverlapProof::kSeparated;
  return overlap_.Prove(X_AB, box, &workspace->mixed);
}

}  // namespace volcontact
