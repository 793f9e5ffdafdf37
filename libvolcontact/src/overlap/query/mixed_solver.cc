#include "overlap/query/mixed_solver.h"

#include "math/time_limit.h"
#include "overlap/mixed/mixed_parts.h"
#include "overlap/query/query_input.h"
#include "overlap/query/workspace.h"
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
    : overlap_(A, B), distance_(A, B), bounds_a_(A.Bounds()), bounds_b_(B.Bounds()) {}

Aabb MixedSolver::OverlapBox(const Rigid& X_AB) const {
  Aabb box = Intersect(bounds_a_, Transformed(bounds_b_, X_AB));
  if (!box.IsBounded() && !box.IsEmpty()) ThrowUnbounded("the overlap of A and B");
  return box;
}

RawAnswer MixedSolver::Query(const Rigid& X_AB, const QueryOptions& options,
                             Workspace* workspace) const {
  RequireApplicable(options.method);
  RawAnswer answer = overlap_.Query(X_AB, OverlapBox(X_AB), options, &workspace->mixed);
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

NearestPair MixedSolver::Separate(const Rigid& X_AB, Workspace*) const {
  return distance_.Run(X_AB);
}

bool MixedSolver::AreApart(const Rigid& X_AB) const { return distance_.Run(X_AB).lower > 0.0; }

// A distance is told sooner than an overlap, and cannot be mistaken where both are thin.
OverlapProof MixedSolver::ProveOverlap(const Rigid& X_AB, Workspace* workspace) const {
  const Aabb box = OverlapBox(X_AB);
  if (box.IsEmpty() || AreApart(X_AB)) return OverlapProof::kSeparated;
  return overlap_.Prove(X_AB, box, &workspace->mixed);
}

}  // namespace volcontact
