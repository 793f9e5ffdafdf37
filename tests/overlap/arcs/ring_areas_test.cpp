// Contact areas of rings in bores and on pistons: their outlines turn sharply where they leave the
// crests of the tube.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::ring_areas_test {
namespace {

using Eigen::Vector3d;

constexpr double kMajor = 0.02, kMinor = 0.004, kHeight = 0.024;

struct Band {
  double low, high;
};

// The heights between which a point of the wall is inside of the ring, by halving.
Band BandOf(const Pose& X_WA, const Vector3d& foot) {
  const Eigen::Matrix3d R = X_WA.Rotation();
  const auto is_inside = [&](double z) {
    const Vector3d q = R.transpose() * (foot + z * Vector3d::UnitZ() - X_WA.t);
    return std::hypot(std::hypot(q.x(), q.y()) - kMajor, q.z()) < kMinor;
  };
  const Vector3d axis = R.col(2);
  const double middle = (X_WA.t - foot).dot(axis) / axis.z();
  if (!is_inside(middle)) return {0.0, 0.0};
  const auto end = [&](double side) {
    double inside = middle, outside = middle + side * kMinor;
    for (int n = 0; n < 50; ++n) {
      const double z = 0.5 * (inside + outside);
      (is_inside(z) ? inside : outside) = z;
    }
    return inside;
  };
  return {end(-1.0), end(1.0)};
}

// The area of the bands on both sides of the wall as they are seen along a direction across it:
// that of the thin overlap's projection.
double AreaOfBands(const Pose& X_WA, double radius, const Vector3d& along) {
  constexpr int kSteps = 4000;
  const Vector3d n = Vector3d(along.x(), along.y(), 0.0).normalized();
  const Vector3d u = n.cross(Vector3d::UnitZ());
  double sum = 0.0;
  for (int k = 0; k < kSteps; ++k) {
    const double angle = std::numbers::pi * ((k + 0.5) / kSteps - 0.5);
    const double across = radius * std::sin(angle), depth = radius * std::cos(angle);
    const Band front = BandOf(X_WA, across * u + depth * n);
    const Band rear = BandOf(X_WA, across * u - depth * n);
    const double common =
        std::max(0.0, std::min(front.high, rear.high) - std::max(front.low, rear.low));
    sum += (front.high - front.low + rear.high - rear.low - common) * depth;
  }
  return sum * std::numbers::pi / kSteps;
}

struct Place {
  double depth, shift;  // of the ring across the axis, in depths
};

// Askew by as much as an outline turns at scales from that of the ring down to nearly none; pressed
// to one side, and nearly in the middle, where both sides lie behind each other.
TEST(RingAreas, AreThoseOfTheirBands) {
  for (const Place& place : {Place{2e-5 * kMinor, 5.0}, Place{2.6e-4 * kMinor, 0.0127}}) {
    for (const bool is_bore : {true, false}) {
      const double reach = kMinor - place.depth, width = 3.0 * (kMajor + kMinor);
      const double radius = is_bore ? kMajor + reach : kMajor - reach;
      const Solid wall = is_bore
                             ? Difference(Box({width, width, kHeight}), {InfiniteCylinder(radius)})
                             : Cylinder(radius, kHeight);
      const PreparedPair pair(Torus(kMajor, kMinor), wall);
      for (const double tilt : {2e-6, 2.17e-5, 3e-4}) {
        const Eigen::AngleAxisd turn(tilt, Vector3d(0.45, 0.893, 0.0).normalized());
        const Pose X_WA = MakePose(turn.toRotationMatrix(),
                                   place.shift * place.depth * Vector3d(0.716, 0.698, 0.0));
        const Metrics metrics = pair.Query(X_WA, Pose());
        SCOPED_TRACE(::testing::Message() << (is_bore ? "bore" : "piston") << ", shift "
                                          << place.shift << ", tilt " << tilt);
        ASSERT_TRUE(metrics.converged);
        EXPECT_TRUE(metrics.warnings.empty()) << metrics.warnings.front();
        const double expected = AreaOfBands(X_WA, radius, metrics.normal_W);
        EXPECT_NEAR(metrics.contact_area, expected, 1e-4 * expected);
      }
    }
  }
}

// The outlines of the ring and of the bore run along each other, and cross unseen.
TEST(RingAreas, AreAlikeWhicheverWayARingIsTilted) {
  constexpr double kDepth = 1e-2 * kMinor;
  const double width = 3.0 * (kMajor + kMinor);
  const Solid plate =
      Difference(Box({width, width, kHeight}), {InfiniteCylinder(kMajor + kMinor - kDepth)});
  const PreparedPair pair(Torus(kMajor, kMinor), plate);
  for (const double tilt : {1e-5, 1e-4}) {
    double least = 1.0, most = 0.0;
    for (int k = 0; k < 7; ++k) {
      const double azimuth = 0.3 + 0.77 * k;
      const Vector3d way(std::cos(azimuth), std::sin(azimuth), 0.0);
      const Pose X_WA = MakePose(Eigen::AngleAxisd(tilt, way).toRotationMatrix(), 4e-8 * way);
      const Metrics metrics = pair.Query(X_WA, Pose());
      EXPECT_TRUE(metrics.warnings.empty()) << metrics.warnings.front();
      least = std::min(least, metrics.contact_area);
      most = std::max(most, metrics.contact_area);
    }
    EXPECT_LT(most - least, 1e-8 * most) << tilt;
  }
}

}  // namespace
}  // namespace volcontact::testing::ring_areas_test
