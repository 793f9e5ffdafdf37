// Bodies lowered onto others, against formulas of their overlaps.
#include "volcontact/forces/lowering.h"

#include <gtest/gtest.h>

#include <cmath>

#include "volcontact/forces/hydroelastic_estimates.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::lowering_test {
namespace {

using Eigen::Vector3d;

const Vector3d kDown = -Vector3d::UnitZ();

TEST(Lowering, ABallFindsThePlaneFromAboveAndFromWithin) {
  for (const double start : {0.7, 0.05, -0.3}) {
    Lowering lowering(Sphere(0.1), HalfSpace(), {{0.2, 0.1, start}}, {}, kDown);
    EXPECT_NEAR(lowering.size(), 0.1 * std::cbrt(4.0 * M_PI / 3.0), 1e-4);
    ASSERT_TRUE(lowering.FindTouch());
    EXPECT_NEAR(lowering.PoseAt(0.0).t.z(), 0.1, 1e-9);
    const Indenter formula = Indenter::Sphere(0.1);
    for (const double depth : {1e-4, 0.03}) {
      const Indentation at = lowering.At(depth);
      EXPECT_NEAR(at.volume, formula.Volume(depth), 1e-4 * at.volume);
      EXPECT_NEAR(at.area, formula.Area(depth), 1e-4 * at.area);
      EXPECT_NEAR(lowering.NormalShare(depth), 1.0, 1e-12);
    }
  }
}

TEST(Lowering, OnASlopeTheNormalCarriesTheCosine) {
  const Pose slope{{0, 0, 0}, {std::cos(0.15), std::sin(0.15), 0, 0}};
  Lowering lowering(Sphere(0.1), HalfSpace(), {{0, 0, 1}}, slope, kDown);
  ASSERT_TRUE(lowering.FindTouch());
  EXPECT_NEAR(lowering.PoseAt(0.0).t.z(), 0.1 / std::cos(0.3), 1e-9);
  EXPECT_NEAR(lowering.NormalShare(1e-3), std::cos(0.3), 1e-9);
}

// A body that stands in a room, a little too deep, is not lifted through the ceiling.
TEST(Lowering, StaysUnderARoof) {
  const Solid room = Difference(Box({3, 3, 3}), {Box({2, 2, 1.2})});
  Lowering lowering(Box({1, 1, 1}), room, {{0.1, 0, -0.101}}, {}, kDown);
  ASSERT_TRUE(lowering.FindTouch());
  EXPECT_NEAR(lowering.PoseAt(0.0).t.z(), -0.1, 2e-9);
}

TEST(Lowering, MissesWhatIsBesideAndRefusesWhatHasNoBounds) {
  Lowering beside(Sphere(0.1), Box({1, 1, 1}), {{5, 0, 2}}, {}, kDown);
  EXPECT_FALSE(beside.FindTouch());
  EXPECT_THROW(Lowering(HalfSpace(), Sphere(0.1), {}, {}, kDown), InvalidInput);
}

TEST(Lowering, BallsOfTheVolumesOfCubesLeadToTheLens) {
  // V ~ π R x² with 1/R = 1/R_a + 1/R_b.
  const double edge = std::cbrt(4.0 * M_PI / 3.0);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(IndentationOfBalls(0.3 * edge, infinite)(1e-3).volume, M_PI * 0.3e-6, 1e-18);
  EXPECT_NEAR(IndentationOfBalls(0.3 * edge, 0.6 * edge)(1e-3).area, 2 * M_PI * 0.2e-3, 1e-15);
}

}  // namespace
}  // namespace volcontact::testing::lowering_test
