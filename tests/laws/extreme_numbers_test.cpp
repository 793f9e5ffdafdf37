// Poses and coefficients near the ends of the range of doubles, and boxes edge to edge.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::AngleAxisd;
using Eigen::Vector3d;
using std::numbers::pi;

TEST(ExtremePoses, BracketsHold) {
  const Eigen::Matrix3d turn =
      AngleAxisd(1.0, Vector3d(1.0, 2.0, 3.0).normalized()).toRotationMatrix();
  const Vector3d up = turn.col(2);
  for (const double far : {1e20, 1e31, 1e55, 1e100}) {
    for (const Vector3d& place : {Vector3d(-up), Vector3d(up), Vector3d(turn.col(0))}) {
      const Metrics metrics =
          PreparedPair(HalfSpace(), Box({1.0, 1.0, 1.0}))
              .Query(MakePose(turn, Vector3d::Zero()), MakePose(turn.transpose(), far * place), {});
      SCOPED_TRACE(::testing::Message() << far << " at " << place.transpose());
      ASSERT_TRUE(metrics.volume_bounds);
      const auto [lower, upper] = *metrics.volume_bounds;
      const double side = up.dot(place);
      EXPECT_GE(lower, 0.0);
      EXPECT_LE(lower, metrics.volume);
      EXPECT_GE(upper, metrics.volume);
      if (std::abs(side) < 0.5) continue;
      const double truth = side < 0.0 ? 1.0 : 0.0;
      EXPECT_LE(lower, truth);
      EXPECT_GE(upper, truth);
      if (metrics.converged) EXPECT_NEAR(metrics.volume, truth, 1e-6);
    }
  }
}

TEST(ExtremeCoefficients, DenormalOnesCountAsOthers) {
  for (const double unit : {0x1p-1000, 0x1p-1030, 0x1p-1050, 0x1p-1070}) {
    QuadricMatrix ball = unit * QuadricMatrix::Identity();
    ball(3, 3) = -0.25 * unit;
    const Solid polynomial = PolynomialSolid(
        {{unit, {2, 0, 0}}, {unit, {0, 2, 0}}, {unit, {0, 0, 2}}, {-0.25 * unit, {0, 0, 0}}});
    for (const Solid& solid : {Quadric(ball), polynomial}) {
      const Metrics metrics = PreparedPair(solid, Box({2.0, 2.0, 2.0})).Query(Pose{}, {});
      EXPECT_TRUE(metrics.converged) << unit;
      EXPECT_NEAR(metrics.volume, pi / 6.0, 1e-6) << unit;
    }
  }
}

// Edges askew in their directions: no face of either tells the gap.
TEST(BoxesEdgeToEdge, HaveTheirDistance) {
  const Eigen::Matrix3d about_y = AngleAxisd(pi / 4.0, Vector3d::UnitY()).toRotationMatrix();
  const Eigen::Matrix3d about_z = AngleAxisd(pi / 4.0, Vector3d::UnitZ()).toRotationMatrix();
  const Solid box = Box({0.1, 0.1, 0.1});
  for (const double gap : {0.002, 1e-6}) {
    for (const double turn : {0.0, 0.2, 1.3}) {
      const Eigen::Matrix3d R =
          AngleAxisd(turn, Vector3d(1.0, 1.0, 1.0).normalized()).toRotationMatrix();
      const double reach = 0.1 * std::sqrt(0.5);
      const Metrics metrics =
          PreparedPair(box, box).Query(MakePose(R * about_y, Vector3d::Zero()),
                                       MakePose(R * about_z, R.col(0) * (2.0 * reach + gap)), {});
      EXPECT_FALSE(metrics.overlap);
      ASSERT_TRUE(metrics.distance);
      EXPECT_LE(*metrics.distance, gap * (1.0 + 1e-9));
      EXPECT_GE(*metrics.distance, gap - 1e-12);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing
