#include "overlap/query/near_frame_solver.h"

#include <algorithm>

namespace volcontact {
namespace {

// Farther off than this many times a solid's size its polynomials of degree four lose half of the
// digits of a double-double.
constexpr double kFar = 1e3;

double LargestHalf(const Aabb& box) { return box.HalfExtents().maxCoeff(); }

// What was found of (B, A), in B, as what is to be said of (A, B): B's share of the boundary and
// A's close.
void Exchange(const Rigid& X_AB, RawAnswer* answer) {
  RawMetrics& raw = answer->raw;
  raw.X_AC = X_AB * raw.X_AC;
  raw.area = -raw.area;
  raw.torque = -raw.torque;
  answer->derivatives = {};
  answer->derivatives.reason =
      "the origin of A is too far away for the size of B; exchange A and B";
}

}  // namespace

bool NearFrameSolver::Applies(const IndexedSolid& A, const IndexedSolid& B) {
  const auto& surfaces = B.whole().surfaces;
  const bool has_quartics = std::any_of(surfaces.begin(), surfaces.end(),
                                        [](const SurfacePolynomial& f) { return f.degree > 2; });
  if (!has_quartics || !B.bounds().IsBounded() || B.bounds().IsEmpty()) return false;
  return !A.bounds().IsBounded() || LargestHalf(A.bounds()) > kFar * LargestHalf(B.bounds());
}

NearFrameSolver::NearFrameSolver(const Solid& A, const Solid& B) : in_A_(A, B), in_B_(B, A) {}

bool NearFrameSolver::IsFar(const Rigid& X_AB) const {
  return Round(X_AB.t).norm() > kFar * LargestHalf(in_B_.A().bounds());
}

RawAnswer NearFrameSolver::Query(const Rigid& X_AB, const QueryOptions& options,
                                 Workspace* workspace) const {
  if (!IsFar(X_AB)) return in_A_.Query(X_AB, options, workspace);
  QueryOptions plain = options;
  plain.hessian = false;
  RawAnswer answer = in_B_.Query(X_AB.Inverse(), plain, workspace);
  Exchange(X_AB, &answer);
  return answer;
}

void NearFrameSolver::Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                              const TakeAnswer& take) const {
  if (!IsFar(X_AB)) return in_A_.Patches(X_AB, options, workspace, take);
  QueryOptions plain = options;
  plain.hessian = false;
  in_B_.Patches(X_AB.Inverse(), plain, workspace, [&](RawAnswer& answer) {
    Exchange(X_AB, &answer);
    take(answer);
  });
}

std::vector<VolumeSample> NearFrameSolver::Samples(const Rigid& X_AB,
                                                   const std::optional<SampleAxis>& axis_A,
                                                   const QueryOptions& options,
                                                   Workspace* workspace) const {
  if (!IsFar(X_AB)) return in_A_.Samples(X_AB, axis_A, options, workspace);
  const Rigid X_BA = X_AB.Inverse();
  std::optional<SampleAxis> axis_B;
  if (axis_A) {
    axis_B = {Round(X_BA * ToDoubleDouble(axis_A->point)),
              X_BA.RotationDouble() * axis_A->direction};
  }
  std::vector<VolumeSample> samples = in_B_.Samples(X_BA, axis_B, options, workspace);
  for (VolumeSample& sample : samples) {
    sample.point_W = Round(X_AB * ToDoubleDouble(sample.point_W));
  }
  return samples;
}

NearestPair NearFrameSolver::Separate(const Rigid& X_AB, bool are_apart,
                                      Workspace* workspace) const {
  if (!IsFar(X_AB)) return in_A_.Separate(X_AB, are_apart, workspace);
  return in_B_.Separate(X_AB.Inverse(), are_apart, workspace)
      .Swapped()
      .Moved(X_AB.RotationDouble(), Round(X_AB.t));
}

OverlapProof NearFrameSolver::ProveOverlap(const Rigid& X_AB, Workspace* workspace) const {
  if (!IsFar(X_AB)) return in_A_.ProveOverlap(X_AB, workspace);
  return in_B_.ProveOverlap(X_AB.Inverse(), workspace);
}

bool NearFrameSolver::IsSeparationProven(const Rigid& X_AB, Workspace* workspace) const {
  if (!IsFar(X_AB)) return in_A_.IsSeparationProven(X_AB, workspace);
  return in_B_.IsSeparationProven(X_AB.Inverse(), workspace);
}

}  // namespace volcontact
