#include "overlap/query/mixed_solver.h"

#include "overlap/query/query_input.h"
#include "overlap/query/workspace.h"
#include "volcontact/math/error.h"

namespace volcontact {

MixedSolver::MixedSolver(const Solid& A, const Solid& B)
    : overlap_(A, B), bounds_a_(A.Bounds()), bounds_b_(B.Bounds()) {}

Aabb MixedSolver::OverlapBox(const Rigid& X_AB) const {
  Aabb box = Intersect(bounds_a_, Transformed(bounds_b_, X_AB));
  if (!box.IsBounded() && !box.IsEmpty()) ThrowUnbounded("the overlap of A and B");
  return box;
}

RawAnswer MixedSolver::Query(const Rigid& X_AB, const QueryOptions& options,
                             Workspace* workspace) const {
  if (options.method != Method::kAuto && options.method != Method::kOctree) {
    throw InvalidInput("method " + MethodName(options.method) +
                       " does not apply to a mesh with curved primitives; use auto or octree");
  }
  return overlap_.Query(X_AB, OverlapBox(X_AB), options, &workspace->mixed);
}

std::vector<RawAnswer> MixedSolver::Patches(const Rigid&, const QueryOptions&, Workspace*) const {
  ThrowNoPatches();
}

std::vector<VolumeSample> MixedSolver::Samples(const Rigid&, const std::optional<SampleAxis>&,
                                               const QueryOptions&, Workspace*) const {
  ThrowNoSamples();
}

double MixedSolver::DistanceBound(const Rigid& X_AB, Workspace*) const {
  const Aabb box_b = Transformed(bounds_b_, X_AB);
  return (bounds_a_.min - box_b.max).cwiseMax(box_b.min - bounds_a_.max).cwiseMax(0.0).norm();
}

OverlapProof MixedSolver::ProveOverlap(const Rigid& X_AB, Workspace* workspace) const {
  return overlap_.Prove(X_AB, OverlapBox(X_AB), &workspace->mixed);
}

}  // namespace volcontact
