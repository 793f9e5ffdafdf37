// Distance bounds: never above the truth, and near it.
#include "overlap/distance/separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "overlap/region_testing.h"

namespace volcontact::testing::separation_test {
namespace {

using Eigen::Vector3d;

double Bound(const Solid& A, const Solid& B, const Pose& X_AB = Pose()) {
  return SeparationBound(Compile(A), A.Bounds(), Compile(B), B.Bounds(), Rigid(X_AB)).lower;
}

// `size` is the larger half extent of the bounded solids.
void ExpectNear(double bound, double truth, double size) {
  EXPECT_LE(bound, truth * (1.0 + 1e-12) + 1e-14 * size);
  EXPECT_GE(bound, 0.9 * truth - 1e-12 * size);
}

class Gaps : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Separation, Gaps, ::testing::Values(30.0, 1.0, 0.1, 1e-3, 1e-5, 1e-7));

class Clearances : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Separation, Clearances, ::testing::Values(0.1, 1e-2, 1e-3, 1e-5, 1e-7));

TEST_P(Gaps, BetweenBalls) {
  const double gap = GetParam();
  const Vector3d p = (2.0 + gap) * Vector3d(0.3, 0.5, 0.8).normalized();
  ExpectNear(Bound(Sphere(1), Sphere(1), PoseAt(p.x(), p.y(), p.z(), 0.3, 0.2, 0.1)), gap, 1.0);
}

TEST_P(Gaps, BetweenBallAndEllipsoid) {
  const double gap = GetParam();
  ExpectNear(Bound(Ellipsoid({0.5, 1, 2}), Sphere(1), PoseAt(0, 0, 3 + gap, 0.1, 0.2, 0.3)), gap,
             2.0);
}

TEST_P(Gaps, BetweenBallAndHalfSpaceEitherWay) {
  const double gap = GetParam();
  ExpectNear(Bound(Sphere(1), HalfSpace(), PoseAt(0, 0, -1 - gap)), gap, 1.0);
  ExpectNear(Bound(HalfSpace(), Sphere(1), PoseAt(0, 0, 1 + gap, 0.3, 0.4, 0)), gap, 1.0);
}

TEST_P(Gaps, BetweenBoxesByFacesCornersAndEdges) {
  const double gap = GetParam();
  const Solid box = Box({1, 1, 1});
  ExpectNear(Bound(box, box, PoseAt(0.3, 0.2, 1 + gap, 0, 0, 0.3)), gap, 0.5);
  const Solid edge_up = box.Posed(PoseAt(0, 0, 0, std::tan(std::acos(-1.0) / 8.0), 0, 0));
  ExpectNear(Bound(edge_up, edge_up, PoseAt(0, 0, std::sqrt(2.0) + gap)), gap, 0.9);
  ExpectNear(Bound(edge_up, edge_up, PoseAt(0.1, 0.05, std::sqrt(2.0) + gap, 0, 0, 0.5)), gap, 0.9);
  Pose corner = PoseAt(0, 0, 0, 0.3, 0.4, 0.1);
  corner.t.z() = 0.5 * corner.Rotation().row(2).cwiseAbs().sum() + gap;
  ExpectNear(Bound(HalfSpace(), box, corner), gap, 0.5);
}

TEST_P(Gaps, BetweenTorusAndBall) {
  const double gap = GetParam();
  const Pose tilt = PoseAt(0, 0, 0, 0.2, -0.1, 0.3);
  const Pose above = Compose(tilt, PoseAt(0.6, 0.8, 0.6 + gap));
  ExpectNear(Bound(Torus(1, 0.3).Posed(tilt), Sphere(0.3), above), gap, 1.3);
}

TEST_P(Gaps, BetweenHalfSpaces) {
  const double gap = GetParam();
  ExpectNear(Bound(HalfSpace(), Complement(HalfSpace()), PoseAt(0, 0, gap)), gap, 1.0);
}

TEST(Separation, OfABallInACavity) {
  const Solid block = Difference(Box({8, 8, 8}), {Sphere(1.4)});
  ExpectNear(Bound(Sphere(1), block, PoseAt(0.1, 0.05, -0.1)), 0.4 - 0.15, 4.0);
}

// Walls that run along each other, in one direction or all around.
TEST_P(Clearances, AllAround) {
  const double gap = GetParam();
  const Solid plate = Difference(Box({8, 8, 2}), {Cylinder(1.0, 4.0)});
  ExpectNear(Bound(Cylinder(1.0 - gap, 3.0), plate), gap, 4.0);
  ExpectNear(Bound(plate, Cylinder(1.0 - 2.0 * gap, 3.0), PoseAt(gap, 0, 0, 0, 0, 0.3)), gap, 4.0);
  const Pose askew = PoseAt(0.1, 0.2, 0.3, 0.2, 0.3, 0.1);
  const Solid drilled = Difference(Box({8, 8, 2}), {Cylinder(1.0, 9.0).Posed(askew)});
  ExpectNear(Bound(drilled, Cylinder(1.0 - gap, 3.0), askew), gap, 4.0);
  ExpectNear(Bound(Sphere(1.0 - gap), Difference(Box({8, 8, 8}), {Sphere(1.0)})), gap, 4.0);
  const Solid slot = Difference(Box({4, 4, 1}), {Box({1, 2, 3})});
  ExpectNear(Bound(slot, Box({1.0 - 2.0 * gap, 2.0 - 4.0 * gap, 2.0})), gap, 2.0);
}

// A conical seat over its post, which starts beside it so that no rims face each other.
TEST_P(Clearances, OfASeat) {
  const double gap = GetParam(), lift = gap * std::sqrt(2.0);
  const Solid seat = Difference(Box({4, 4, 2}), {Cone(1.2, 1.2).Posed(PoseAt(0, 0, -1.1))});
  const double bound = Bound(seat, Cone(0.9, 0.9), PoseAt(0, 0, -0.8 - lift));
  EXPECT_LE(bound, gap * (1.0 + 1e-12) + 1e-14);
  // Cones so near are not told apart within the effort.
  if (gap > 1e-6) ExpectNear(bound, gap, 2.0);
}

TEST(Separation, OfBallAndEdgeOfABox) {
  const double s = std::sqrt(0.5);
  for (const double gap : {0.1, 0.002, 1e-5, 1e-8}) {
    SCOPED_TRACE(gap);
    const double reach = 1.0 + gap;
    ExpectNear(Bound(Box({2, 2, 2}), Sphere(1), PoseAt(1 + s * reach, 1 + s * reach, 0.3)), gap,
               1.0);
    const Solid drilled = Difference(Box({2, 2, 2}), {Cylinder(0.3, 4)});
    ExpectNear(Bound(drilled, Sphere(1), PoseAt(1 + s * reach, 1 + s * reach, 0.3)), gap, 1.0);
    ExpectNear(Bound(drilled, Cylinder(1, 3), PoseAt(1 + s * reach, 1 + s * reach, 0.3)), gap, 1.5);
  }
}

// Rings, in tubes of their own form and linked, and balls along circles.
TEST_P(Clearances, OfRings) {
  const double gap = GetParam();
  const Solid groove = Difference(Box({4, 4, 1}).Posed(PoseAt(0, 0, -0.5)), {Torus(1, 0.3)});
  ExpectNear(Bound(Torus(1, 0.3 - gap), groove), gap, 2.0);
  ExpectNear(Bound(groove, Torus(1, 0.3 - 0.5 * gap), PoseAt(0, 0, -0.25 * gap)), 0.25 * gap, 2.0);
  ExpectNear(Bound(Torus(1, 0.3), Cylinder(0.7 - gap, 2.0)), gap, 1.3);
  const double quarter = std::sqrt(0.5);
  Pose linked = PoseAt(1.0, 0, 0);
  linked.q = {quarter, quarter, 0.0, 0.0};
  // Each tube goes through the other's hole and fills it: they are near along whole circles.
  if (gap > 1e-4) {
    ExpectNear(Bound(Torus(1, 0.5 - 0.5 * gap), Torus(1, 0.5 - 0.5 * gap), linked), gap, 2.0);
  }
  const Solid race = Difference(Cylinder(1.0, 1.0), {Torus(1.0, 0.2)});
  ExpectNear(Bound(Sphere(0.2 - gap), race, PoseAt(-1.0, 0, 0)), gap, 1.0);
  const Solid bore = Difference(Box({4, 4, 4}), {Cylinder(1.0, 9.0)});
  ExpectNear(Bound(bore, Sphere(1.0 - gap), PoseAt(0, 0, 0.3)), gap, 2.0);
}

// Moulds, whose walls have no formula for the distance.
// Parts of what is cut off end at one plane: those of a capsule, a bore and its counterbore.
TEST_P(Clearances, WherePocketsHaveSeveralParts) {
  const double gap = GetParam();
  const Pose X = PoseAt(0.1, 0.2, -0.1, 0.3, 0.1, 0.4);
  const Solid box = Box({6.0, 6.0, 6.0});
  const auto clear = [&](const Solid& inner, const Solid& outer, const Pose& moved) {
    return Bound(inner.Posed(moved).Posed(X), Difference(box, {outer}).Posed(X));
  };
  const Solid outer = Capsule(1.0 + gap, 1.5), inner = Capsule(1.0, 1.5);
  ExpectNear(clear(inner, outer, Pose()), gap, 3.0);
  ExpectNear(clear(inner, outer, PoseAt(0.0, 0.6 * gap, 0.4 * gap)),
             gap * (1.0 - std::hypot(0.6, 0.4)), 3.0);
  const auto stepped = [](double more) {
    return Union({Cylinder(0.7 + more, 1.0).Posed(PoseAt(0.0, 0.0, -0.5 - more)),
                  Cylinder(1.4 + more, 1.0 + 2.0 * more).Posed(PoseAt(0.0, 0.0, 0.5))});
  };
  ExpectNear(clear(stepped(0.0), stepped(gap), Pose()), gap, 3.0);
}

TEST_P(Clearances, OfAnEllipsoidInItsMould) {
  const double gap = GetParam();
  const Vector3d axes(1.0, 0.8, 0.5);
  const Solid mould = Difference(Box({4, 4, 1}).Posed(PoseAt(0, 0, -0.5)), {Ellipsoid(axes)});
  // Nearest at the bottom.
  ExpectNear(Bound(Ellipsoid((1.0 - gap) * axes), mould), 0.5 * gap, 2.0);
}

// Surfaces without charts or without distances are left to pairs of cells.
TEST(Separation, OfSolidsOfDegreeFour) {
  const Solid ball =
      PolynomialSolid({{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-1.0, {0, 0, 0}}});
  const Solid box = Box({1, 1, 1});
  const auto bound = [](const Solid& A, const Solid& B, const Pose& X_AB) {
    const Aabb around = {Vector3d::Constant(-1.0), Vector3d::Constant(1.0)};
    return SeparationBound(Compile(A), around, Compile(B), around, Rigid(X_AB)).lower;
  };
  ExpectNear(bound(ball, box, PoseAt(0, 0, 1.75)), 0.25, 1.0);
  ExpectNear(bound(box, ball, PoseAt(0, 0, 1.51)), 0.01, 1.0);
}

// One solid within another has no distance, and neither has a part of one.
TEST(Separation, TellsWhetherBoundariesOrSolidsAreApart) {
  const ImplicitSolid ring = Compile(Torus(1, 0.3)), seed = Compile(Torus(1, 0.1));
  const Aabb around = Torus(1, 0.3).Bounds();
  EXPECT_FALSE(SeparationBound(ring, around, seed, around, Rigid()).is_apart);
  EXPECT_FALSE(SeparationBound(seed, around, ring, around, Rigid()).is_apart);
  EXPECT_TRUE(SeparationBound(seed, around, ring, around, Rigid(PoseAt(0, 0, 0.5))).is_apart);
  const Solid two = Union({Torus(1, 0.1), Sphere(0.1).Posed(PoseAt(3, 0, 0))});
  EXPECT_FALSE(SeparationBound(Compile(two), two.Bounds(), ring, around, Rigid()).is_apart);
  EXPECT_FALSE(SeparationBound(ring, around, Compile(two), two.Bounds(), Rigid()).is_apart);
}

TEST(Separation, HostileSolids) {
  EXPECT_EQ(Bound(Sphere(1), Sphere(1)), 0.0);
  EXPECT_EQ(Bound(Sphere(1), Sphere(1), PoseAt(1.5, 0, 0)), 0.0);
  EXPECT_LE(Bound(Sphere(1), Sphere(1), PoseAt(2, 0, 0)), 1e-15);
  EXPECT_LE(Bound(Box({1, 1, 1}), Box({1, 1, 1}), PoseAt(1, 0.3, 0)), 1e-15);
  EXPECT_EQ(Bound(HalfSpace(), HalfSpace(), PoseAt(0, 0, 1, 0.1, 0, 0)), 0.0);
  EXPECT_EQ(Bound(InfiniteCylinder(1), InfiniteCylinder(1), PoseAt(1, 0, 0)), 0.0);
  const Aabb everything = Aabb::Everything();
  const ImplicitSolid ball = Compile(Sphere(1)), nothing = Compile(Solid());
  EXPECT_EQ(SeparationBound(ball, Sphere(1).Bounds(), nothing, Aabb::Nothing(), Rigid()).lower,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(SeparationBound(nothing, everything, nothing, everything, Rigid()).lower, 0.0);
}

// Random solids, one on either side of a gap: the bound must not exceed the distance of any two
// sampled points.
TEST(Separation, IsBelowSampledDistancesOfRandomSolids) {
  std::mt19937 random(13);
  const auto number = [&] { return std::uniform_real_distribution<double>(-1.5, 1.5)(random); };
  int positive = 0;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(trial);
    const Solid A = RandomSolid(&random, 2), B = RandomSolid(&random, 3);
    const Pose X_AB = PoseAt(2.8, 0.3, -0.2, 0.4, 0.2, -0.3);
    const double bound = Bound(A, B, X_AB);
    const LocalFrame frame = FrameAt(Pose(), Vector3d::Constant(2.0));
    const LocalProblem a = ProblemOf(SingleSolid(Compile(A)), frame);
    const LocalProblem b = ProblemOf(SingleSolid(Compile(B)), frame);
    std::vector<Vector3d> in_a, in_b;
    for (int k = 0; k < 4000; ++k) {
      const Vector3d p(number(), number(), number());
      if (Contains(a, 0.5 * p)) in_a.push_back(p);
      if (Contains(b, 0.5 * p)) in_b.push_back(X_AB * p);
    }
    if (in_a.size() < 50 || in_b.size() < 50) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vector3d& p : in_a) {
      for (const Vector3d& q : in_b) nearest = std::min(nearest, (p - q).norm());
    }
    EXPECT_LE(bound, nearest);
    // Some hundred points find the distance to a few tenths.
    if (bound > 0.0) {
      ++positive;
      EXPECT_GT(bound, 0.5 * nearest - 0.4);
    }
  }
  EXPECT_GT(positive, 4);
}

}  // namespace
}  // namespace volcontact::testing::separation_test
