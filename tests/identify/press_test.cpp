// Volumes by the depth of approach: against closed forms, the wedge of Boos, and derivatives.
#include "volcontact/identify/press.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "identify/experiments.h"
#include "volcontact/identify/cylinder_wedge.h"
#include "volcontact/math/error.h"

namespace volcontact::identify {
namespace {

TEST(Press, FindsTouchAndTheCap) {
  const Press press = BallOnPlane();
  const Press::Tilted straight = press.At(0.0);
  EXPECT_NEAR(straight.touch(), 0.0, 1e-17);
  EXPECT_EQ(straight.At(-1e-6).volume, 0.0);
  for (const double depth : {1e-9, 1e-7, 1e-5, 1e-3}) {
    const PressedVolume at = straight.At(depth);
    const double rounding = 4.0 * kBallRadius * 1.1e-16 / depth;  // of the position
    EXPECT_NEAR(at.volume / CapVolume(depth), 1.0, 1e-12 + rounding);
    const double slope = std::numbers::pi * depth * (2.0 * kBallRadius - depth);
    EXPECT_NEAR(at.slope / slope, 1.0, 1e-12 + rounding);
  }
}

TEST(Press, TouchIsFoundFromWhereverTheBodyStands) {
  for (const double z : {-0.3, 0.0, 0.0005, 0.5}) {
    PressPath path;
    path.X_WA.t = {0.1, 0.2, z};
    const Press press(Sphere(kBallRadius), HalfSpace(), path, 1e-9);
    EXPECT_NEAR(press.At(0.0).touch(), z - kBallRadius, 1e-15);
  }
}

TEST(Press, RefusesPathsThatDoNotMeet) {
  PressPath away;
  away.X_WA.t.z() = 1.0;
  away.direction_W = Eigen::Vector3d::UnitX();
  EXPECT_THROW(Press(Sphere(0.1), HalfSpace(), away, 1e-9).At(0.0), InvalidInput);
  away.X_WA.t.z() = -1.0;
  EXPECT_THROW(Press(Sphere(0.1), HalfSpace(), away, 1e-9).At(0.0), InvalidInput);
}

TEST(Press, ObliqueApproachAndOtherBodies) {
  PressPath path;
  path.X_WA.t = {0.0, 0.0, 0.05};
  path.direction_W = Eigen::Vector3d(0.6, 0.0, -0.8);
  const Press press(Sphere(0.01), Box({1.0, 1.0, 0.02}), path, 1e-10);
  const Press::Tilted straight = press.At(0.0);
  EXPECT_NEAR(straight.touch(), (0.05 - 0.02) / 0.8, 1e-12);
  const double depth = 1e-4, step = 1e-8;
  EXPECT_NEAR(straight.At(depth).volume / CapVolume(0.8 * depth, 0.01), 1.0, 1e-9);
  const double difference =
      (straight.At(depth + step).volume - straight.At(depth - step).volume) / (2.0 * step);
  EXPECT_NEAR(straight.At(depth).slope / difference, 1.0, 1e-6);
}

// The range of Boos 2011, Eq. (3.19): to 2 r tan(tilt) along the axis.
TEST(CylinderWedge, AgreesWithTheGeometryOverItsRange) {
  constexpr double kRadius = 5e-3;
  double worst = 0.0;
  for (const double degrees : {0.05, 0.32, 0.46, 2.0, 10.0, 30.0}) {
    const double tilt = degrees * std::numbers::pi / 180.0;
    const CylinderWedge wedge(kRadius, tilt);
    PressPath path;
    path.X_WA.t.z() = 0.02;
    const Press press(Cylinder(kRadius, 0.03), HalfSpace(), path, 1e-12);
    const Press::Tilted tilted = press.At(tilt);
    for (const double share : {0.01, 0.05, 0.2, 0.5, 0.8, 0.99, 1.0}) {
      const double depth = share * wedge.max_depth();
      const double ours = tilted.At(depth * std::cos(tilt)).volume;
      worst = std::max(worst, std::abs(wedge.Volume(depth) / ours - 1.0));
    }
  }
  RecordProperty("worst_relative_difference", std::to_string(worst));
  std::printf("wedge: worst relative difference %.2g\n", worst);
  EXPECT_LT(worst, 1e-10);
}

// As printed, with acos and the bracket written out, in extended precision.
TEST(CylinderWedge, IsThePrintedFormula) {
  constexpr double kRadius = 5e-3, kTilt = 0.0056;
  const CylinderWedge wedge(kRadius, kTilt);
  for (const double share : {1e-3, 0.1, 0.5, 0.9}) {
    const long double depth = share * wedge.max_depth(), r = kRadius;
    const long double b = depth / std::tan(static_cast<long double>(kTilt));
    const long double phi = std::acos((r - b) / r);
    const long double bracket =
        2.0L * std::sin(phi) - std::cos(phi) * (3.0L * phi - 0.5L * std::sin(2.0L * phi));
    const long double printed = depth * r * r * r / (3.0L * b) * bracket;
    EXPECT_NEAR(wedge.Volume(share * wedge.max_depth()) / static_cast<double>(printed), 1.0, 1e-11);
  }
}

TEST(CylinderWedge, RangeAndItsEnd) {
  const CylinderWedge wedge(5e-3, 0.01);
  EXPECT_DOUBLE_EQ(wedge.max_depth(), 0.01 * std::tan(0.01));
  // There the whole end is in, half a slice as deep.
  EXPECT_NEAR(
      wedge.Volume(wedge.max_depth()) / (0.5 * std::numbers::pi * 25e-6 * wedge.max_depth()), 1.0,
      1e-13);
  EXPECT_EQ(wedge.Volume(0.0), 0.0);
  EXPECT_THROW(wedge.Volume(1.001 * wedge.max_depth()), InvalidInput);
  EXPECT_THROW(wedge.Volume(-1e-9), InvalidInput);
  EXPECT_THROW(CylinderWedge(5e-3, 0.0), InvalidInput);
  EXPECT_THROW(CylinderWedge(0.0, 0.1), InvalidInput);
}

}  // namespace
}  // namespace volcontact::identify
