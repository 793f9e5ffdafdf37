#include "solids/queries/membership.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "solids/exact/bounded_number.h"
#include "solids/exact/exact_number.h"
#include "solids/exact/pose_chain.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"

namespace volcontact::membership_test {
namespace {

using Eigen::Vector3d;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Pose kRational = {{0.0, 0.0, 0.0}, {0.2, 0.4, 0.4, 0.8}};

MembershipPath PathOf(const Solid& solid, const Vector3d& p) {
  MembershipPath path;
  LocatePoint(solid.node(), p, &path);
  return path;
}

TEST(MembershipTest, PointsExactlyOnTheSurface) {
  const Solid sphere = Sphere(1.25);
  EXPECT_EQ(sphere.Locate({0.75, 1.0, 0.0}), Membership::kBoundary);
  EXPECT_EQ(sphere.Locate({0.75, 0.0, -1.0}), Membership::kBoundary);
  EXPECT_EQ(Sphere(0.75).Posed({{1.0, 2.0, 3.0}, {1.0, 0.0, 0.0, 0.0}}).Locate({1.25, 2.5, 3.5}),
            Membership::kBoundary);
  EXPECT_EQ(Torus(1.25, 0.5).Locate({1.05, 1.4, 0.0}), Membership::kInside);  // 1.05, 1.4 rounded
  EXPECT_EQ(Torus(1.25, 0.5).Locate({0.0, 1.75, 0.0}), Membership::kBoundary);
  EXPECT_EQ(Cone(1.0, 2.0).Locate({0.3125, 0.0, 1.375}), Membership::kBoundary);
  EXPECT_EQ(Cone(1.0, 2.0).Locate({0.0, 0.0, 2.0}), Membership::kBoundary);
  EXPECT_EQ(Ellipsoid({1.0, 2.0, 4.0}).Locate({0.0, 0.0, -4.0}), Membership::kBoundary);
  EXPECT_EQ(Box({1.0, 2.0, 3.0}).Locate({0.5, 0.25, 1.0}), Membership::kBoundary);
}

// One ulp decides.
TEST(MembershipTest, NeighbouringDoublesFallOnEitherSide) {
  const Solid sphere = Sphere(1.25);
  const Vector3d on(0.75, 1.0, 0.0);
  for (int i = 0; i < 2; ++i) {
    Vector3d p = on;
    p[i] = std::nextafter(on[i], kInfinity);
    EXPECT_EQ(sphere.Locate(p), Membership::kOutside);
    p[i] = std::nextafter(on[i], -kInfinity);
    EXPECT_EQ(sphere.Locate(p), Membership::kInside);
  }
  EXPECT_EQ(sphere.Locate({0.75, 1.0, 1e-300}), Membership::kOutside);
}

// The quaternion's length is not one; the rotation it stands for is exact nevertheless.
TEST(MembershipTest, FacesUnderAnExactlyNormalisedQuaternion) {
  const double unit = 1.0 + 0x1p-21;  // |q| within 1e-6 of one, never exactly
  const Pose pose = {{0.5, -0.25, 2.0}, {0.5 * unit, 0.5 * unit, -0.5 * unit, 0.5 * unit}};
  const Solid box = Box({1.0, 2.0, 3.0}).Posed(pose);
  for (const Vector3d& p :
       {Vector3d(0.5, 0.25, 0.75), Vector3d(0.0, 1.0, -0.5), Vector3d(-0.25, 0.0, -1.5)}) {
    EXPECT_EQ(box.Locate(pose * p), Membership::kBoundary) << p.transpose();
    EXPECT_EQ(box.Locate(pose * (0.999 * p)), Membership::kInside) << p.transpose();
  }
}

// For q = (1, 2, 2, 4), 25R is an integer matrix. No multiple of q by a double has unit length, so
// the test moves a point through the private template, which does not ask.
TEST(MembershipTest, IntegerQuaternionsRotateExactly) {
  const Pose pose = {{0.0, 0.0, 0.0}, {1.0, 2.0, 2.0, 4.0}};
  const std::array<Rational, 3> p =
      InverseMove(pose, std::array<Rational, 3>{Rational(25), Rational(0), Rational(0)});
  EXPECT_EQ(p[0], Rational(1 + 4 - 4 - 16));
  EXPECT_EQ(p[1], Rational(2 * (2 * 2 - 1 * 4)));
  EXPECT_EQ(p[2], Rational(2 * (2 * 4 + 1 * 2)));
}

// Posing by q and by its conjugate is the identity, exactly, so the boundary stays the boundary.
TEST(MembershipTest, BoundariesSurviveAwkwardPoses) {
  const Pose back = {{0.0, 0.0, 0.0}, {0.2, -0.4, -0.4, -0.8}};
  const Solid box = Box({1.0, 2.0, 3.0}).Posed(kRational).Posed(back);
  EXPECT_EQ(box.Locate({0.5, 0.3, 0.1}), Membership::kBoundary);
  EXPECT_EQ(box.Locate({std::nextafter(0.5, 1.0), 0.3, 0.1}), Membership::kOutside);
  EXPECT_EQ(box.Locate({std::nextafter(0.5, 0.0), 0.3, 0.1}), Membership::kInside);
  EXPECT_EQ(Sphere(1.25).Posed(kRational).Locate({0.0, 0.75, 1.0}), Membership::kBoundary);
}

TEST(MembershipTest, TheFilterDecidesAwayFromTheSurface) {
  const Solid sphere = Sphere(1.25).Posed({{100.0, 200.0, 300.0}, kRational.q});
  EXPECT_EQ(PathOf(sphere, {100.0, 200.0, 301.25}), MembershipPath::kExact);
  EXPECT_EQ(PathOf(sphere, {100.0, 200.0, 301.25 + 1e-11}), MembershipPath::kFilter);
  EXPECT_EQ(PathOf(sphere, {100.0, 200.0, 301.25 - 1e-11}), MembershipPath::kFilter);
}

TEST(MembershipTest, AnUndecidedPartThatCannotMatterCostsNothing) {
  const Vector3d on_the_small(0.5, 0.0, 0.0);
  EXPECT_EQ(PathOf(Union({Sphere(0.5), Sphere(1.0)}), on_the_small), MembershipPath::kFilter);
  EXPECT_EQ(PathOf(Intersection({Sphere(0.5), Sphere(1.0)}), on_the_small), MembershipPath::kExact);
  EXPECT_EQ(Union({Sphere(0.5), Sphere(1.0)}).Locate(on_the_small), Membership::kInside);
}

// Sets are regularised: faces that two parts share do not count, whatever the pose and the kind.
TEST(MembershipTest, SharedFacesAreInsideAUnionAndOutsideAnIntersection) {
  const Solid left = Box({1.0, 8.0, 8.0}), right = Box({8.0, 1.0, 8.0});
  const Solid moved = right.Posed({{4.5, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}});
  // Two half turns about z through the origin: the same place by way of a rotation.
  const Pose half_turn = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
  const Vector3d shared(0.5, 0.25, 0.125), rim(0.5, 0.5, 0.125);
  for (const Solid& neighbour : {moved, moved.Posed(half_turn).Posed(half_turn)}) {
    EXPECT_EQ(Union({left, neighbour}).Locate(shared), Membership::kInside);
    EXPECT_EQ(Intersection({left, neighbour}).Locate(shared), Membership::kOutside);
    EXPECT_EQ(Difference(left, {neighbour}).Locate(shared), Membership::kBoundary);
    EXPECT_EQ(Union({left, neighbour}).Locate(rim), Membership::kBoundary);
  }
  const Solid ball = Sphere(1.25), same = Ellipsoid({1.25, 1.25, 1.25}).Posed(kRational);
  const Vector3d on(0.75, 0.0, 1.0);
  EXPECT_EQ(Union({ball, Complement(same)}).Locate(on), Membership::kInside);
  EXPECT_EQ(Difference(ball, {same}).Locate(on), Membership::kOutside);
  EXPECT_EQ(Union({ball, same}).Locate(on), Membership::kBoundary);
  EXPECT_EQ(Difference(ball, {Sphere(0.25).Posed({{1.5, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}})})
                .Locate({1.25, 0.0, 0.0}),
            Membership::kBoundary);  // tangent spheres
}

TEST(MembershipTest, HostileExtremesFallBackToExactArithmetic) {
  EXPECT_EQ(Sphere(1e-30).Locate({1e-30, 0.0, 0.0}), Membership::kBoundary);
  EXPECT_EQ(Sphere(1e30).Locate({0.0, -1e30, 0.0}), Membership::kBoundary);
  EXPECT_EQ(Sphere(1.0).Locate({1e308, 1e308, 1e308}), Membership::kOutside);
  EXPECT_EQ(Torus(1.0, 0.25).Locate({1e308, -1e308, 1e308}), Membership::kOutside);
  EXPECT_EQ(Torus(1e-30, 1e-30).Locate({5e-324, 0.0, 0.0}), Membership::kInside);
  EXPECT_EQ(Sphere(1e-30).Locate({0.0, 5e-324, 0.0}), Membership::kInside);
  EXPECT_EQ(Ellipsoid({1e-30, 1.0, 1e30}).Locate({0.0, 0.0, 1e30}), Membership::kBoundary);
  EXPECT_EQ(Cone(1e-9, 1e9).Locate({0.0, 0.0, 1e9}), Membership::kBoundary);
  EXPECT_EQ(Cone(1e-30, 1e30).Locate({5e-31, 0.0, 1e29}), Membership::kInside);
}

TEST(MembershipTest, PointsThatAreNotFiniteAreRejected) {
  EXPECT_THROW(Sphere(1.0).Locate({0.0, kInfinity, 0.0}), InvalidInput);
  EXPECT_THROW(Sphere(1.0).Locate({0.0, 0.0, std::nan("")}), InvalidInput);
}

// Random expression dags: the running error must enclose the rational result.
TEST(BoundedNumberTest, ErrorEnclosesTheRationalResult) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-30, 30), operation(0, 3), operand(0, 7);
  int tight = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<BoundedNumber, 8> bounded;
    std::array<Rational, 8> exact;
    for (int i = 0; i < 8; ++i) {
      const double x = std::ldexp(mantissa(random), exponent(random));
      bounded[i] = BoundedNumber(x);
      exact[i] = Rational(x);
    }
    for (int step = 0; step < 12; ++step) {
      const int a = operand(random), b = operand(random), op = operation(random);
      if (op == 3 && exact[b] == 0) continue;
      const Rational x = exact[a], y = exact[b];
      const int target = operand(random);
      exact[target] = op == 0   ? Rational(x + y)
                      : op == 1 ? Rational(x - y)
                      : op == 2 ? Rational(x * y)
                                : Rational(x / y);
      const BoundedNumber r = bounded[a], s = bounded[b];
      bounded[target] = op == 0 ? r + s : op == 1 ? r - s : op == 2 ? r * s : r / s;
      const BoundedNumber& result = bounded[target];
      if (!std::isfinite(result.error()) || !std::isfinite(result.value())) break;
      const Rational distance = exact[target] - Rational(result.value());
      ASSERT_LE(Magnitude(distance), Rational(result.error()));
      tight += result.error() < 1e-12 * std::abs(result.value());
    }
  }
  EXPECT_GT(tight, 10000);
}

TEST(BoundedNumberTest, OverflowAndUnderflowProveNothing) {
  const BoundedNumber huge(1e200), tiny(1e-200), zero = BoundedNumber(1.0) - BoundedNumber(1.0);
  for (const BoundedNumber& x :
       {huge * huge, huge * huge - huge * huge, tiny * tiny, tiny / huge * tiny,
        BoundedNumber(1.0) / zero, zero * (huge * huge), BoundedNumber(1.0) / (huge * huge)}) {
    EXPECT_FALSE(x.IsNegative());
    EXPECT_FALSE(x.IsPositive());
  }
}

}  // namespace
}  // namespace volcontact::membership_test
