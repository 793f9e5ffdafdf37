#include "sweep/near_contact.h"

#include <fmt/format.h>

#include <algorithm>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// The gap is found to this part of it.
constexpr double kGapTolerance = 1e-3;
// A gap of this part of A's size stands for a touch.
constexpr double kTouch = 1e-6;
// About the ratio of true distances to their bounds, used if there are no nearest points.
constexpr double kTrueOverBound = 1.05;
// The most steps, each of which leads as far as it surely can, and the most doublings to get
// outside.
constexpr int kMostSteps = 1000, kMostDoublings = 20;

double TrueDistance(const Separation& separation) {
  const auto& points = separation.nearest_W;
  return points ? ((*points)[0] - (*points)[1]).norm() : kTrueOverBound * separation.distance_bound;
}

}  // namespace

NearContact::NearContact(std::shared_ptr<const PreparedPair> pair, const Aabb& A, const Aabb& B)
    : pair_(std::move(pair)), middle_B_(Eigen::Vector3d::Zero()), size_B_(0.0) {
  if (!A.IsBounded() || A.IsEmpty()) {
    throw InvalidInput("A is unbounded and cannot be moved near B; exchange the solids");
  }
  middle_A_ = A.Center();
  size_A_ = A.HalfExtents().norm();
  if (B.IsEmpty()) throw InvalidInput("B is empty, so A cannot be near it");
  if (B.IsBounded()) {
    middle_B_ = B.Center();
    size_B_ = B.HalfExtents().norm();
  }
}

Pose NearContact::Approach::At(double distance) const {
  Pose X_BA;
  X_BA.q = q;
  X_BA.t = shift + distance * direction;
  return X_BA;
}

Separation NearContact::SeparateAt(const Approach& approach, double distance) const {
  return pair_->Separate(approach.At(distance), Pose());
}

std::optional<double> NearContact::Outside(const Approach& approach, double target) const {
  double distance = 1.1 * (size_A_ + size_B_) + 2.0 * target;
  for (int i = 0; i < kMostDoublings; ++i) {
    if (SeparateAt(approach, distance).distance_bound > target) return distance;
    distance *= 2.0;
  }
  return std::nullopt;
}

Pose NearContact::Place(const std::array<double, 4>& q, const Eigen::Vector3d& direction,
                        double gap) const {
  Pose turned;
  turned.q = q;
  Approach approach{q, middle_B_ - turned.Rotation() * middle_A_, direction};
  const double target = gap > 0.0 ? gap : kTouch * size_A_;
  const double tolerance = gap > 0.0 ? kGapTolerance * gap : 0.5 * target;
  std::optional<double> distance = Outside(approach, target);
  if (!distance) {
    approach.direction = -direction;
    distance = Outside(approach, target);
  }
  if (!distance) throw InvalidInput("A could not be moved free of B along the drawn direction");
  for (int i = 0; i<kMostSteps&& * distance> - (size_A_ + size_B_); ++i) {
    const Separation separation = SeparateAt(approach, *distance);
    const double excess = separation.distance_bound - target;
    if (excess <= tolerance) {
      return approach.At(gap > 0.0 ? *distance : *distance - TrueDistance(separation) + gap);
    }
    *distance -= excess;
  }
  throw InvalidInput(fmt::format(
      "A passes B along the drawn direction, and never comes within {:g} m of it", target));
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
