// Mass properties of primitives against textbook formulas, written here in another way.
#include <cmath>
#include <numbers>

#include "overlap/closed_forms/closed_form_testing.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

void ExpectMass(const Solid& solid, double volume, const Vector3d& centroid,
                const Vector3d& principal) {
  const Pose pose{{3.0, -1.0, 2.0}, {0.8, 0.4, 0.4, 0.2}};
  const auto mass = ClosedFormMass(solid.Posed(pose));
  ASSERT_TRUE(mass);
  const Rigid X(pose);
  const Eigen::Matrix3d R = X.RotationDouble();
  const Overlap own = Finish(*mass, X.t);
  EXPECT_NEAR(own.volume, volume, 2e-15 * volume);
  EXPECT_LE(own.lower, volume);
  EXPECT_GE(own.upper, volume);
  EXPECT_LT((own.centroid - R * centroid).norm(), 1e-15);
  EXPECT_LT((own.inertia - R * principal.asDiagonal() * R.transpose()).norm(),
            5e-15 * principal.norm());
}

TEST(ClosedFormMass, Textbook) {
  const double r = 0.3, h = 0.8;
  double V = 4.0 / 3.0 * pi * r * r * r;
  ExpectMass(Sphere(r), V, Vector3d::Zero(), Vector3d::Constant(0.4 * V * r * r));
  V = 4.0 / 3.0 * pi * 0.5 * 0.3 * 0.2;
  ExpectMass(Ellipsoid({0.5, 0.3, 0.2}), V, Vector3d::Zero(),
             V / 5.0 * Vector3d(0.09 + 0.04, 0.25 + 0.04, 0.25 + 0.09));
  ExpectMass(Box({1.0, 2.0, 3.0}), 6.0, Vector3d::Zero(), 0.5 * Vector3d(13.0, 10.0, 5.0));
  V = pi * r * r * h;
  ExpectMass(Cylinder(r, h), V, Vector3d::Zero(),
             V / 12.0 * Vector3d(3 * r * r + h * h, 3 * r * r + h * h, 6 * r * r));
  V = pi * r * r * h / 3.0;
  const double across = 3.0 / 80.0 * V * (4 * r * r + h * h);
  ExpectMass(Cone(r, h), V, {0.0, 0.0, h / 4.0}, {across, across, 0.3 * V * r * r});
  ExpectMass(Cone(0.0, h, r), V, {0.0, 0.0, 0.75 * h}, {across, across, 0.3 * V * r * r});
  const double R = 0.7;
  V = 2.0 * pi * pi * R * r * r;
  ExpectMass(
      Torus(R, r), V, Vector3d::Zero(),
      V * Vector3d(0.5 * R * R + 0.625 * r * r, 0.5 * R * R + 0.625 * r * r, R * R + 0.75 * r * r));
}

TEST(ClosedFormMass, FrustumIsTheDifferenceOfTwoCones) {
  // Cones of heights 1 and 0.4 with one tip.
  const double whole = pi * 0.25 / 3.0, tip = pi * 0.04 * 0.4 / 3.0, V = whole - tip;
  const double z = (whole * 0.25 - tip * 0.7) / V;
  const auto second = [](double m, double radius, double height, double base, double at) {
    const double d = base + 0.25 * height - at;
    return 3.0 / 80.0 * m * (4.0 * radius * radius + height * height) + m * d * d;
  };
  const double across = second(whole, 0.5, 1.0, 0.0, z) - second(tip, 0.2, 0.4, 0.6, z);
  ExpectMass(Cone(0.5, 0.6, 0.2), V, {0.0, 0.0, z},
             {across, across, 0.3 * (whole * 0.25 - tip * 0.04)});
}

TEST(ClosedFormMass, CapsuleIsATubeAndTwoHalves) {
  const double r = 0.3, h = 0.8;
  const double tube = pi * r * r * h, half = 2.0 / 3.0 * pi * r * r * r;
  // A half ball about its own centroid, 3r/8 from its flat face: 83/320 m r² across the axis.
  const double d = 0.5 * h + 0.375 * r;
  const double across =
      tube * (3.0 * r * r + h * h) / 12.0 + 2.0 * half * (83.0 / 320.0 * r * r + d * d);
  ExpectMass(Capsule(r, h), tube + 2.0 * half, Vector3d::Zero(),
             {across, across, 0.5 * tube * r * r + 0.8 * half * r * r});
}

TEST(ClosedFormMass, UnboundedAndCompositeSolidsHaveNone) {
  EXPECT_FALSE(ClosedFormMass(HalfSpace()));
  EXPECT_FALSE(ClosedFormMass(Slab(1.0)));
  EXPECT_FALSE(ClosedFormMass(InfiniteCylinder(1.0)));
  EXPECT_FALSE(ClosedFormMass(Difference(Sphere(1.0), {Sphere(0.5)})));
}

}  // namespace
}  // namespace volcontact::testing
