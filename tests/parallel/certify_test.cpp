// Certified volume brackets: they contain the truth, shrink as promised, and do not depend on
// threads.
#include "overlap/certify/certify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "overlap/region_testing.h"

namespace volcontact::testing::certify_test {
namespace {

using Eigen::Vector3d;

const double kPi = std::acos(-1.0);

struct Case {
  const char* name;
  SurfaceSet set;
  LocalFrame frame;
  double volume;
};

std::vector<Case> ClosedForms() {
  const double cap = 0.3;  // each cap of the lens below
  const double rim = std::sqrt(cap * (2.0 - cap));
  const double lens = 2.0 * kPi * cap * cap * (3.0 - cap) / 3.0;
  const Pose tilt = PoseAt(0.1, -0.2, 0.05, 0.3, -0.4, 0.2);
  std::vector<Case> cases;
  cases.push_back({"ball", RegionOf(Sphere(0.9), Sphere(2.0)), LocalFrame(),
                   4.0 / 3.0 * kPi * std::pow(0.9, 3)});
  cases.push_back({"lens in its box",
                   RegionOf(Sphere(1.0), Sphere(1.0), PoseAt(0, 0, 2.0 - 2.0 * cap)),
                   FrameAt(PoseAt(0, 0, 1.0 - cap), {rim, rim, cap}), lens});
  cases.push_back({"lens in a tilted box",
                   RegionOf(Sphere(1.0), Sphere(1.0), PoseAt(0, 0, 2.0 - 2.0 * cap)),
                   FrameAt(PoseAt(0, 0, 1.0 - cap, 0.3, -0.4, 0.2), {1.0, 1.2, 1.1}), lens});
  cases.push_back({"tilted box", RegionOf(Box({0.5, 0.7, 0.9}).Posed(tilt), Sphere(3.0)),
                   LocalFrame(), 0.5 * 0.7 * 0.9});
  cases.push_back({"union of boxes",
                   RegionOf(Union({Box({0.5, 0.5, 0.5}).Posed(PoseAt(0.1, 0.2, 0.3)),
                                   Box({0.5, 0.5, 0.5}).Posed(PoseAt(0.35, 0.2, 0.3))}),
                            Sphere(3.0)),
                   LocalFrame(), 0.75 * 0.5 * 0.5});
  cases.push_back({"ball with a drilled slot",
                   RegionOf(Difference(Sphere(0.9), {Slab(0.4).Posed(PoseAt(0, 0, 0, 1, 0.3, 0))}),
                            Sphere(2.0)),
                   LocalFrame(), 2.0 * kPi * 0.49 * (2.7 - 0.7) / 3.0});
  cases.push_back({"torus", RegionOf(Torus(0.7, 0.25).Posed(tilt), Sphere(3.0)),
                   FrameAt(Pose(), Vector3d::Constant(1.3)), 2.0 * kPi * kPi * 0.7 * 0.25 * 0.25});
  cases.push_back({"cylinder", RegionOf(Cylinder(0.4, 0.9).Posed(tilt), Sphere(3.0)), LocalFrame(),
                   kPi * 0.16 * 0.9});
  return cases;
}

TEST(Certify, BracketsContainClosedForms) {
  for (const Case& c : ClosedForms()) {
    SCOPED_TRACE(c.name);
    const LocalProblem problem = ProblemOf(c.set, c.frame);
    double width = 0.0;
    for (const long cells : {1L, 9L, 100L, 1000L, 20000L}) {
      const VolumeBracket bracket = CertifyVolume(problem, {cells, 0.0, 1});
      EXPECT_LE(bracket.lower, c.volume * (1.0 + 1e-15)) << cells;
      EXPECT_GE(bracket.upper, c.volume * (1.0 - 1e-15)) << cells;
      width = bracket.Width();
    }
    EXPECT_LT(width, 0.02 * c.volume);
  }
}

TEST(Certify, ReachesItsWidthsWithFewCells) {
  const double kWidths[][2] = {{3000, 6e-3}, {30000, 3e-4}};
  int count = 0;
  for (const Case& c : ClosedForms()) {
    const std::string name = c.name;
    if (name != "ball" && name != "lens in its box") continue;
    ++count;
    SCOPED_TRACE(name);
    for (const auto& [cells, width] : kWidths) {
      const LocalProblem problem = ProblemOf(c.set, c.frame);
      const VolumeBracket bracket = CertifyVolume(problem, {static_cast<long>(cells), 0.0, 1});
      EXPECT_LT(bracket.Width(), width * c.volume);
    }
  }
  EXPECT_EQ(count, 2);
}

TEST(Certify, StopsAtTheTargetAndTheBudget) {
  const LocalProblem problem = ProblemOf(RegionOf(Sphere(0.9), Sphere(2.0)), LocalFrame());
  long cells = 0;
  const VolumeBracket bracket = CertifyVolume(problem, {1'000'000, 0.01, 1}, &cells);
  EXPECT_LE(bracket.Width(), 0.01 * bracket.upper);
  EXPECT_LT(cells, 5000);
  CertifyVolume(problem, {500, 1e-9, 1}, &cells);
  EXPECT_LE(cells, 500);
}

TEST(Certify, PlanesNeedNoCells) {
  const Solid box = Box({1.0, 1.0, 1.0}).Posed(PoseAt(0.3, 0.2, 0.1));
  const LocalProblem problem =
      ProblemOf(RegionOf(box, HalfSpace().Posed(PoseAt(0, 0, 0.1, .3, 0, 0))),
                FrameAt(PoseAt(0.3, 0.2, 0.1), Vector3d::Constant(0.5)));
  const VolumeBracket bracket = CertifyVolume(problem, {100, 1e-12, 1});
  // The half-space's face passes the box's axis at height z = 0.1 + tan(θ)·0.2, so that the mean
  // height of the part below is 0.5 + (that − 0.1).
  const double tangent = 2.0 * 0.3 / (1.0 - 0.09);
  EXPECT_NEAR(bracket.lower, 0.5 + 0.2 * tangent, 1e-11);
  EXPECT_LT(bracket.Width(), 1e-11);
}

// A thin lens between a sphere and a half-space, at any depth: the width is relative.
TEST(Certify, WidthDoesNotDependOnDepth) {
  for (const double depth : {1e-2, 1e-5, 1e-8}) {
    const double rim = std::sqrt(depth * (2.0 - depth));
    const LocalFrame frame = FrameAt(PoseAt(0, 0, -1.0 + 0.5 * depth), {rim, rim, 0.5 * depth});
    const SurfaceSet set = RegionOf(Sphere(1.0), HalfSpace(), PoseAt(0, 0, -1.0 + depth));
    const double volume = kPi * depth * depth * (3.0 - depth) / 3.0;
    const VolumeBracket bracket = CertifyVolume(ProblemOf(set, frame), {4000, 0.0, 1});
    // The depth given is that of the double −1 + depth.
    const double slack = 1e-15 / depth;
    EXPECT_LE(bracket.lower, volume * (1.0 + slack));
    EXPECT_GE(bracket.upper, volume * (1.0 - slack));
    EXPECT_LT(bracket.Width(), 5e-3 * volume);
  }
}

TEST(Certify, HostileRegions) {
  const auto bracket = [](const SurfaceSet& set) {
    return CertifyVolume(ProblemOf(set, LocalFrame()), {2000, 1e-6, 1});
  };
  SurfaceSet constant;
  constant.expression = Expression::Constant(false);
  EXPECT_EQ(bracket(constant).upper, 0.0);
  constant.expression = Expression::Constant(true);
  EXPECT_NEAR(bracket(constant).lower, 8.0, 1e-12);
  EXPECT_GE(bracket(constant).upper, 8.0);
  // A ball and its complement, a ball and itself, tangent balls, and nothing at all.
  EXPECT_EQ(bracket(RegionOf(Sphere(0.8), Complement(Sphere(0.8)))).upper, 0.0);
  const double ball = 4.0 / 3.0 * kPi * std::pow(0.8, 3);
  const VolumeBracket twice = bracket(RegionOf(Sphere(0.8), Sphere(0.8)));
  EXPECT_LE(twice.lower, ball);
  EXPECT_GE(twice.upper, ball);
  EXPECT_LT(twice.Width(), 0.02);
  const VolumeBracket tangent = bracket(RegionOf(Sphere(0.5), Sphere(0.5), PoseAt(1, 0, 0)));
  EXPECT_EQ(tangent.lower, 0.0);
  EXPECT_LT(tangent.upper, 1e-3);
  EXPECT_EQ(bracket(RegionOf(Sphere(0.3), Sphere(0.3), PoseAt(1, 0, 0))).upper, 0.0);
}

// Counting the points of a grid with n³ points brackets a volume only up to its error, about the
// part of the grid cells that the boundary crosses over √(their number); a wrong bracket is far
// outside.
TEST(Certify, AgreesWithDenseSamplingOfRandomSolids) {
  std::mt19937 random(7);
  constexpr int kPoints = 64;
  for (int trial = 0; trial < 30; ++trial) {
    SCOPED_TRACE(trial);
    const SurfaceSet set = RegionOf(RandomSolid(&random, 2 + trial % 4), RandomSolid(&random, 2));
    const LocalProblem problem =
        ProblemOf(set, FrameAt(PoseAt(0, 0, 0, 0.1, 0.2, 0.3), {1.0, 0.8, 0.9}));
    long count = 0;
    for (int i = 0; i < kPoints * kPoints * kPoints; ++i) {
      const Vector3d index(i % kPoints, i / kPoints % kPoints, i / kPoints / kPoints);
      if (Contains(problem, (2.0 * index.array() + 1.0) / kPoints - 1.0)) ++count;
    }
    const double box = 8.0 * problem.frame.half.prod();
    const double sampled = box * count / (1.0 * kPoints * kPoints * kPoints);
    const double error = 1.5e-3 * box;
    for (const long cells : {50L, 3000L}) {
      const VolumeBracket bracket = CertifyVolume(problem, {cells, 0.0, 1});
      EXPECT_LE(bracket.lower, sampled + error);
      EXPECT_GE(bracket.upper, sampled - error);
      if (cells == 3000) {
        EXPECT_LT(bracket.Width(), 0.05 * box);
      }
    }
  }
}

TEST(Certify, IsTheSameForAnyNumberOfThreads) {
  std::mt19937 random(11);
  const SurfaceSet set = RegionOf(RandomSolid(&random, 4), RandomSolid(&random, 2));
  const LocalProblem problem = ProblemOf(set, LocalFrame());
  const VolumeBracket one = CertifyVolume(problem, {50000, 0.0, 1});
  for (const int threads : {2, 3, 8}) {
    const VolumeBracket more = CertifyVolume(problem, {50000, 0.0, threads});
    EXPECT_EQ(one.lower, more.lower);
    EXPECT_EQ(one.upper, more.upper);
  }
}

}  // namespace
}  // namespace volcontact::testing::certify_test
