// Poses and coefficients near the ends of the range of doubles, and boxes edge to edge.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
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
      EXPECT_TRUE(!metrics.converged || std::abs(metrics.volume - truth) < 1e-6);
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
      const Metrics metrics = PreparedPair(solid, Box({2.0, 2.0, 2.0})).QueryRelative(Pose{});
      EXPECT_TRUE(metrics.converged) << unit;
      EXPECT_NEAR(metrics.volume, pi / 6.0, 1e-6) << unit;
    }
  }
}

// A ring on a ball of the earth's size, in either order and seen from afar: as on a plane.
TEST(RingOnTheEarth, IsAsOnAPlane) {
  constexpr double kEarth = 6.371e6;
  const Solid earth = Sphere(kEarth);
  for (const double major : {0.005, 0.05, 0.5}) {
    const Solid ring = Torus(major, 0.1 * major);
    const double height = 0.09 * major;
    const Pose above{{0.0, 0.0, height}};
    const Metrics plane = PreparedPair(ring, HalfSpace()).Query(above, Pose{});
    const Pose below{{0.0, 0.0, -kEarth}};
    const Metrics first = PreparedPair(ring, earth).Query(above, below);
    const Metrics second = PreparedPair(earth, ring).Query(below, above);
    SCOPED_TRACE(major);
    EXPECT_NEAR(first.volume, plane.volume, 1e-3 * plane.volume);
    EXPECT_NEAR(second.volume, first.volume, 1e-6 * first.volume);
    EXPECT_NEAR(second.area_vector_W.z(), -first.area_vector_W.z(), 1e-5 * first.contact_area);
    EXPECT_NEAR(second.area_vector_W.z(), -plane.area_vector_W.z(), 1e-3 * plane.contact_area);
    EXPECT_TRUE(second.converged);
    EXPECT_NEAR(second.centroid_W.z(), first.centroid_W.z(), 1e-3 * height);
  }
  const Solid far_ring = Union({Torus(0.05, 0.005).Posed(Pose{{0.0, 0.0, kEarth}})});
  EXPECT_THROW(PreparedPair(far_ring, earth), InvalidInput);
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
