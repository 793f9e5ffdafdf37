#include "simbody/step_path.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The most that a quadratic polynomial exceeds its values at the ends and in the middle.
constexpr double kBetweenThree = 1.25;
// Spans of `least_travel` that a distance is worth.
constexpr double kWorthADistance = 64.0;
// Places looked at on the way of a step: everyday solids move by some of their sizes. After the
// first ones it is known about how many there would be.
constexpr int kMostLooks = 2000, kFirstLooks = 64;
constexpr double kHopelessLooks = 1e5;

Quaterniond QuaternionOf(const Pose& X) { return {X.q[0], X.q[1], X.q[2], X.q[3]}; }

// Position and quaternion (x, y, z, w), and their rates.
Eigen::Matrix<double, 7, 2> CoordinatesOf(const BodyInstant& motion, const Quaterniond& q) {
  const Vector3d& w = motion.V_W.angular_velocity_W;
  const Quaterniond rate = Quaterniond(0.0, w.x(), w.y(), w.z()) * q;
  Eigen::Matrix<double, 7, 2> values;
  values << motion.X_WB.t, motion.V_W.velocity_W, q.coeffs(), 0.5 * rate.coeffs();
  return values;
}

// The greatest speed of a point of the shape in the frame of another body, at this instant.
double RelativeSpeed(const ShapeExtent& shape, const BodyInstant& body, const BodyInstant& other) {
  const Vector3d center = body.X_WB * shape.center;
  const Vector3d &w = body.V_W.angular_velocity_W, &w_other = other.V_W.angular_velocity_W;
  const Vector3d v = body.V_W.velocity_W + w.cross(center - body.X_WB.t) - other.V_W.velocity_W -
                     w_other.cross(center - other.X_WB.t);
  return v.norm() + (w - w_other).norm() * shape.radius;
}

}  // namespace

ShapeExtent::ShapeExtent(const Aabb& bounds)
    : box(bounds), radius(kInfinity), thickness((bounds.max - bounds.min).minCoeff()) {
  if (!box.IsBounded()) return;
  center = box.Center();
  radius = box.HalfExtents().norm();
}

Aabb ShapeExtent::BoxAt(const Pose& X_WB) const {
  if (!box.IsBounded()) return Aabb::Everything();
  const Matrix3d R = QuaternionOf(X_WB).toRotationMatrix();
  const Vector3d middle = R * center + X_WB.t, half = R.cwiseAbs() * box.HalfExtents();
  return {middle - half, middle + half};
}

double BoxGap(const Aabb& a, const Aabb& b) {
  const Vector3d gap = (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(0.0);
  return gap.allFinite() ? gap.norm() : 0.0;
}

BodyPath::BodyPath(const BodyInstant& from, const BodyInstant& to, double duration)
    : duration_(duration) {
  const Quaterniond q_from = QuaternionOf(from.X_WB);
  Quaterniond q_to = QuaternionOf(to.X_WB);
  if (q_from.coeffs().dot(q_to.coeffs()) < 0.0) q_to.coeffs() *= -1.0;  // the same rotation
  const Eigen::Matrix<double, 7, 2> a = CoordinatesOf(from, q_from), b = CoordinatesOf(to, q_to);
  const Eigen::Matrix<double, 7, 1> d = b.col(0) - a.col(0);
  coefficients_.col(0) = a.col(0);
  coefficients_.col(1) = duration * a.col(1);
  coefficients_.col(2) = 3.0 * d - duration * (2.0 * a.col(1) + b.col(1));
  coefficients_.col(3) = duration * (a.col(1) + b.col(1)) - 2.0 * d;
}

BodyInstant BodyPath::At(double share) const {
  const Vector4d powers(1.0, share, share * share, share * share * share);
  const Vector4d rates(0.0, 1.0, 2.0 * share, 3.0 * share * share);
  const Eigen::Matrix<double, 7, 1> value = coefficients_ * powers;
  const Eigen::Matrix<double, 7, 1> rate = coefficients_ * rates / duration_;
  const Vector4d coefficients = value.tail<4>(), turning = rate.tail<4>();
  const Quaterniond q(coefficients), q_rate(turning);
  const Vector4d unit = coefficients.normalized();
  BodyInstant at;
  at.X_WB.t = value.head<3>();
  at.X_WB.q = {unit[3], unit[0], unit[1], unit[2]};
  at.V_W.velocity_W = rate.head<3>();
  at.V_W.angular_velocity_W = 2.0 * (q_rate * q.conjugate()).vec() / q.squaredNorm();
  return at;
}

double ReachInStep(const ShapeExtent& shape, const BodyInstant& from, const BodyInstant& to,
                   double duration) {
  const auto still = [](const BodyInstant& body) {
    return body.V_W.velocity_W.isZero(0.0) && body.V_W.angular_velocity_W.isZero(0.0);
  };
  if (still(from) && still(to) && from.X_WB.t == to.X_WB.t && from.X_WB.q == to.X_WB.q) return 0.0;
  if (!std::isfinite(shape.radius)) return kInfinity;
  const BodyInstant ground;
  double speed = 0.0;
  const BodyPath path(from, to, duration);
  for (const BodyInstant& at : {from, path.At(0.5), to}) {
    speed = std::max(speed, RelativeSpeed(shape, at, ground));
  }
  return kBetweenThree * speed * duration;
}

double PairPath::FirstOverlap(double least_travel) const {
  const bool is_A = shape_A->radius <= shape_B->radius;
  const ShapeExtent& smaller = is_A ? *shape_A : *shape_B;
  if (!std::isfinite(smaller.radius)) return 0.0;
  double speed = 0.0;
  for (const double share : {0.0, 0.5, 1.0}) {
    const BodyInstant a = A.At(share), b = B.At(share);
    speed = std::max(speed, is_A ? RelativeSpeed(smaller, a, b) : RelativeSpeed(smaller, b, a));
  }
  const double travel = kBetweenThree * speed * duration;
  if (!(travel > least_travel)) return 0.0;
  // From each place on by the distance there: nothing can touch before. A distance may cost a
  // hundred queries, so it is asked for only where it may spare as many.
  double ask_at = 0.0;
  int looks = 0;
  // Where gaps tell no more than their sign, a proof of it is cheaper.
  bool has_only_sign = false;
  for (double way = 0.0; way < travel;) {
    const bool is_hopeless = looks > kFirstLooks && looks * travel > kHopelessLooks * way;
    if (++looks > kMostLooks || is_hopeless) {
      throw std::runtime_error(
          fmt::format("bodies move by up to {:.2g} m in a step of {:.2g} s, too far to find "
                      "contacts on the way; look for forces and speeds that are too large",
                      travel, duration));
    }
    const Pose X_WA = A.At(way / travel).X_WB, X_WB = B.At(way / travel).X_WB;
    double gap = BoxGap(shape_A->BoxAt(X_WA), shape_B->BoxAt(X_WB));
    if (gap < least_travel) {
      const bool asks = way >= ask_at && travel - way > kWorthADistance * least_travel;
      if (asks) ask_at = way + kWorthADistance * least_travel;
      if (asks) {
        gap = geometry->Gap(X_WA, X_WB);
      } else if (!has_only_sign || !geometry->AreApart(X_WA, X_WB)) {
        gap = geometry->FreeGap(X_WA, X_WB);
        has_only_sign = gap == kLeastGap;
      }
    }
    if (gap < 0.0) return way > 0.0 ? gap : 0.0;
    way += std::max(gap, least_travel);
  }
  return 0.0;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
