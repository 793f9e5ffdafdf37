#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "io/outlines/convex_hull.h"
#include "math/minimal_rotation.h"
#include "math/pose_of_rotation.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// Directions that differ by less are the same line.
constexpr double kSameDirection = 1e-9;
constexpr int kBallPoints = 300;

Eigen::Matrix3d TurnTo(const Eigen::Vector3d& direction) {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  int axis = 0;
  if (direction.cwiseAbs().maxCoeff(&axis) == 1.0) {  // exactly
    Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
    R((axis + 1) % 3, 0) = 1.0;
    R((axis + 2) % 3, 1) = direction[axis];
    R(axis, 2) = direction[axis];
    return R;
  }
  return MinimalRotation(z, direction).toRotationMatrix();
}

// Points on the unit sphere, spread evenly: a spiral by the golden angle.
std::vector<Eigen::Vector3d> Spiral(int count) {
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count, rho = std::sqrt(1.0 - z * z);
    points.emplace_back(rho * std::cos(golden * i), rho * std::sin(golden * i), z);
  }
  return points;
}

}  // namespace

UnitBallPoints SpreadOverBall() {
  static const UnitBallPoints spread = [] {
    UnitBallPoints result;
    result.points = Spiral(kBallPoints);
    for (const auto& [a, b, c] : HullFaces(result.points)) {
      const Eigen::Vector3d& p = result.points[static_cast<std::size_t>(a)];
      const Eigen::Vector3d n = (result.points[static_cast<std::size_t>(b)] - p)
                                    .cross(result.points[static_cast<std::size_t>(c)] - p)
                                    .normalized();
      result.deviation = std::max(result.deviation, 1.0 - n.dot(p));
    }
    return result;
  }();
  return spread;
}

MaybeSolid CapsuleOf(const std::vector<Eigen::Vector3d>& centers, double radius) {
  const auto farthest = [&](const Eigen::Vector3d& from) {
    return *std::max_element(centers.begin(), centers.end(),
                             [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
                               return (a - from).norm() < (b - from).norm();
                             });
  };
  const Eigen::Vector3d a = farthest(centers[0]), b = farthest(a);
  const double length = (b - a).norm();
  if (length <= kSameDirection * radius) return Sphere(radius).Posed(Pose{a});
  const Eigen::Vector3d along = (b - a) / length;
  for (const Eigen::Vector3d& c : centers) {
    const Eigen::Vector3d off = c - a - along.dot(c - a) * along;
    if (off.norm() > kSameDirection * length) return std::nullopt;
  }
  return Capsule(radius, length).Posed(PoseOfRotation(TurnTo(along), 0.5 * (a + b)));
}

Solid HullOfTwoBalls(const Eigen::Vector3d& a, double radius_a, const Eigen::Vector3d& b,
                     double radius_b) {
  if (radius_a < radius_b) return HullOfTwoBalls(b, radius_b, a, radius_a);
  const Eigen::Vector3d d = b - a;
  const double length = d.norm();
  const Solid large = Sphere(radius_a).Posed(Pose{a});
  if (length <= radius_a - radius_b) return large;
  // The cone touches the balls in circles, that far ahead of their centres, and that wide.
  const double sine = (radius_a - radius_b) / length, cosine = std::sqrt(1.0 - sine * sine);
  const Solid cone =
      Cone(radius_a * cosine, length - sine * (radius_a - radius_b), radius_b * cosine)
          .Posed(Pose{{0.0, 0.0, radius_a * sine}});
  const Eigen::Vector3d along = d / length;
  return Union(
      {large, Sphere(radius_b).Posed(Pose{b}), cone.Posed(PoseOfRotation(TurnTo(along), a))});
}

}  // namespace volcontact
