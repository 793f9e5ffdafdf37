#include "overlap/arcs/facing.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "overlap/arcs/sums_testing.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/locate.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

// Whether bodies face each other along a direction in A, in a tight frame about their overlap.
bool Face(const Solid& A, const Solid& B, const Vector3d& direction_A) {
  LocalProblem problem;
  const SurfaceSet set = RegionOf(A, B);
  const Locator::Result located = Locator().Run(set, CommonBox(A, B), &problem);
  EXPECT_FALSE(located.empty);
  SimplifyInBox(&problem);
  return AreBodiesFacing(
      problem, located.frame.X_AC.RotationDouble().transpose() * direction_A.normalized());
}

TEST(AreBodiesFacing, HoldsOfCapsAndLensesSeenAlongTheNormalAndALittleAskew) {
  const Solid plate = Box({4.0, 4.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5));
  for (const double depth : {1e-2, 1e-5, 1e-8}) {
    const Solid ball = Sphere(0.5).Posed(PoseAt(0.2, 0.1, 0.5 - depth));
    const Solid ring = Torus(1.0, 0.25).Posed(PoseAt(0.0, 0.0, 0.25 - depth));
    const Solid small = Sphere(0.2).Posed(PoseAt(1.0, 0.0, 0.7 - 2.0 * depth));
    for (const double tilt : {0.0, 0.1, 0.5}) {
      const Vector3d along(tilt, 0.5 * tilt, 1.0);
      EXPECT_TRUE(Face(plate, ball, along)) << depth << " " << tilt;
      EXPECT_TRUE(Face(ball, plate, -along)) << depth << " " << tilt;
      EXPECT_TRUE(Face(ring, small, along)) << depth << " " << tilt;
    }
    EXPECT_FALSE(Face(plate, ball, {1.0, 0.0, 0.0}));
  }
}

TEST(AreBodiesFacing, HoldsOfUnionsOfCapsAndOfUprightWalls) {
  const Solid plate = Box({4.0, 4.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5));
  const Solid capsule =
      Capsule(0.1, 0.5).Posed({{0.0, 0.0, 0.1 - 1e-3}, {std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0}});
  const Solid foot = Cylinder(0.2, 1.0).Posed(PoseAt(0.0, 0.0, 0.5 - 1e-4));
  EXPECT_TRUE(Face(plate, foot, {0.0, 0.0, 1.0}));
  EXPECT_FALSE(Face(plate, foot, {0.01, 0.0, 1.0}));
  // The planes that cap its cylinder look both ways: nothing is claimed where they matter.
  EXPECT_FALSE(Face(plate, capsule, {0.3, 0.0, 1.0}));
}

TEST(AreBodiesFacing, FailsWhereLinesMayMeetTwoIntervalsOrBodiesShareAFace) {
  const Solid plate = Box({4.0, 4.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5));
  EXPECT_FALSE(Face(plate, Sphere(0.5), {0.0, 0.0, 1.0}));
  EXPECT_FALSE(Face(plate, Box({1.0, 1.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5)), {0.0, 0.0, 1.0}));
}

// The projection by facing is the one by edges: a ball in a conical pit, looked at along the axis,
// and several balls, each of which looks another way.
TEST(AreBodiesFacing, GivesTheProjectionsOfBallsOnABall) {
  const double R = 2.0, r = 0.2, depth = 1e-4;
  std::vector<Solid> balls;
  double expected = 0.0;
  for (int n = 0; n < 6; ++n) {
    const double turn = n * std::numbers::pi / 3.0, lean = 0.5;
    const Vector3d u(std::sin(lean) * std::cos(turn), std::sin(lean) * std::sin(turn),
                     std::cos(lean));
    const Vector3d p = (R + r - depth) * u;
    balls.push_back(Sphere(r).Posed(PoseAt(p.x(), p.y(), p.z())));
    // The rim's disc, seen along the sum of all, z.
    const double d = R + r - depth, x = (d * d + R * R - r * r) / (2.0 * d);
    expected += std::numbers::pi * (R * R - x * x) * std::cos(lean);
  }
  const ArcMethodResult result =
      SumEdgesOf(Sphere(R), Union(balls), {.tolerance = 1e-9, .max_cells = 100'000});
  ASSERT_EQ(result.failure, ArcFailure::kNone);
  EXPECT_NEAR(result.raw.projected_area / expected, 1.0, 1e-8);
}

}  // namespace
}  // namespace volcontact::testing
