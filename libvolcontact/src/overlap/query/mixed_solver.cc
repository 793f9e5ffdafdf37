#include "overlap/query/mixed_solver.h"

#include "overlap/query/query_input.h"
#include "overlap/query/workspace.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// A proof needs no more digits than tell the volume from none.
constexpr double kProofTolerance = 1e-2;
// Faces are rounded when they are brought into A's frame and cut to the box, by far less than this
// part of the coordinates; what they sweep then is in no bracket.
constexpr double kFaceRounding = 1e-13;

}  // namespace

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
  RawAnswer answer = overlap_.Query(X_AB, OverlapBox(X_AB), options, &workspace->mixed);
  answer.derivatives.reason = kNoMeshDerivatives;
  return answer;
}

std::vector<RawAnswer> MixedSolver::Patches(const Rigid&, const QueryOptions&, Workspace*) const {
  ThrowNoPatches();
}

std::vector<VolumeSample> MixedSolver::Samples(const Rigid&, const QueryOptions&,
                                               Workspace*) const {
  ThrowNoSamples();
}

double MixedSolver::DistanceBound(const Rigid& X_AB, Workspace*) const {
  const Aabb box_b = Transformed(bounds_b_, X_AB);
  return (bounds_a_.min - box_b.max).cwiseMax(box_b.min - bounds_a_.max).cwiseMax(0.0).norm();
}

OverlapProof MixedSolver::ProveOverlap(const Rigid& X_AB, Workspace* workspace) const {
  QueryOptions options;
  options.tolerance = kProofTolerance;
  const Aabb box = OverlapBox(X_AB);
  const RawAnswer answer = overlap_.Query(X_AB, box, options, &workspace->mixed);
  const auto [lower, upper] = *answer.volume_bounds;
  if (!(upper > 0.0)) return OverlapProof::kSeparated;
  const double size = box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).maxCoeff();
  const double area = box.HalfExtents().squaredNorm();
  return ProofFrom(lower - kFaceRounding * size * area, upper);
}

}  // namespace volcontact
