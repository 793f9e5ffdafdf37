// Values of the point pairs worked out by hand, degenerate places, and bad input.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/contact/point_pairs.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using testing::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Contact with B in the world frame and A's centre at p.
PointContact At(const PointPair& pair, const Vector3d& p) { return FindContact(pair, {p}, {}); }

void ExpectContact(const PointPair& pair, const Vector3d& p, double gap, const Vector3d& normal) {
  const PointContact contact = At(pair, p);
  EXPECT_NEAR(contact.gap, gap, 1e-15);
  ASSERT_TRUE(contact.geometry.touching);
  EXPECT_LT((contact.geometry.normal_W - normal).norm(), 1e-15)
      << contact.geometry.normal_W.transpose();
}

const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();

TEST(PointPairsThesis, SpherePlane) {
  ExpectContact(SpherePlane{0.5}, {3.0, 4.0, 0.25}, -0.25, kZ);
  EXPECT_EQ(At(SpherePlane{0.5}, {3.0, 4.0, 0.25}).geometry.point_W, Vector3d(3.0, 4.0, -0.25));
  EXPECT_EQ(At(SpherePlane{0.5}, {0.0, 0.0, 2.0}).gap, 1.5);
  EXPECT_FALSE(At(SpherePlane{0.5}, {0.0, 0.0, 0.5}).geometry.touching);
}

TEST(PointPairsThesis, SphereEdgeDividesByTheDistanceAcrossTheEdge) {
  const SphereEdge edge{1.0, 0.5 * M_PI};
  // (A.10) as printed divides by |p|, which shortens the normal away from the reference point.
  ExpectContact(edge, {0.3, 7.0, 0.4}, -0.5, {0.6, 0.0, 0.8});
  ExpectContact(edge, {-0.3, 7.0, 0.4}, -0.6, kZ);
  ExpectContact(edge, {0.3, 7.0, -0.4}, -0.7, kX);
  // Below both faces the nearer one counts.
  ExpectContact(edge, {-0.3, 7.0, -0.4}, -1.3, kX);
  ExpectContact(edge, {-0.4, 7.0, -0.3}, -1.3, kZ);
}

TEST(PointPairsThesis, SphereEdgeTurnsItsNormalSteadily) {
  for (const double angle : {0.1, 1.0, 2.0, 3.0, M_PI}) {
    const SphereEdge edge{1.0, angle};
    Vector3d previous = kZ;
    for (int i = 0; i <= 2000; ++i) {
      // Around the edge at half a radius, from above face 1 to beside face 2.
      const double turn = 1e-3 * M_PI * i - 0.5 * M_PI;
      if (turn > 1.5 * M_PI - angle) break;
      const Vector3d p(0.5 * std::sin(turn), 0.0, 0.5 * std::cos(turn));
      const Vector3d normal = At(edge, p).geometry.normal_W;
      ASSERT_LT((normal - previous).norm(), 2e-3 * M_PI) << angle << " " << turn;
      previous = normal;
    }
    EXPECT_LT((previous - Vector3d(std::sin(angle), 0.0, -std::cos(angle))).norm(), 1e-14);
  }
}

TEST(PointPairsThesis, SphereCylinder) {
  ExpectContact(SphereCylinder{0.5, 2.0}, {0.0, 2.25, 9.0}, -0.25, kY);
  ExpectContact(SphereBore{0.5, 2.0}, {0.0, 1.75, 9.0}, -0.25, -kY);
  EXPECT_EQ(At(SphereBore{0.5, 2.0}, {0.0, 1.0, 9.0}).gap, 0.5);
}

TEST(PointPairsThesis, SphereCone) {
  // Half angle arctan(3/4): the wall's normal is (4, 3)/5.
  const SphereCone cone{0.5, 3.0, 4.0};
  ExpectContact(cone, Vector3d(1.5, 0.0, 2.0) + 0.25 * Vector3d(0.8, 0.0, 0.6), -0.25,
                {0.8, 0.0, 0.6});
  ExpectContact(cone, {0.0, 0.0, 4.25}, -0.25, kZ);
  ExpectContact(cone, {0.0, 0.12, 4.16}, -0.3, {0.0, 0.6, 0.8});
  ExpectContact(cone, {1.0, 0.0, -0.25}, -0.25, -kZ);
}

TEST(PointPairsThesis, EndsTouchWithFacesAndRims) {
  const SphereCylinder cylinder{1.0, 2.0, 3.0};
  ExpectContact(cylinder, {0.5, 0.0, 2.0}, -0.5, kZ);
  ExpectContact(cylinder, {2.3, 0.0, -1.9}, -0.5, {0.6, 0.0, -0.8});
  const SphereBore bore{1.0, 2.0, 3.0};
  ExpectContact(bore, {7.0, 0.0, 2.0}, -0.5, kZ);
  ExpectContact(bore, {1.7, 0.0, 1.9}, -0.5, {-0.6, 0.0, 0.8});
  ExpectContact(SphereEdge{1.0, 0.5 * M_PI, 2.0}, {-1.0, 1.3, 0.4}, -0.5, {0.0, 0.6, 0.8});
}

TEST(PointPairsDegenerate, CentreOnTheEdge) {
  for (const double angle : {1e-9, 0.5, 0.5 * M_PI, 3.0, M_PI}) {
    ExpectContact(SphereEdge{1.0, angle}, {0.0, 3.0, 0.0}, -1.0,
                  {std::cos(0.5 * angle), 0.0, std::sin(0.5 * angle)});
  }
}

TEST(PointPairsDegenerate, CentreOnTheAxis) {
  ExpectContact(SphereCylinder{1.0, 2.0}, Vector3d::Zero(), -3.0, kX);
  ExpectContact(SphereCylinder{1.0, 2.0, 10.0}, {0.0, 0.0, -1.0}, -3.0, kX);
  ExpectContact(SphereCylinder{1.0, 2.0, 10.0}, {0.0, 0.0, -4.0}, -2.0, -kZ);
  ExpectContact(SphereCone{0.5, 3.0, 4.0}, {0.0, 0.0, 3.0}, -1.1, {0.8, 0.0, 0.6});
  ExpectContact(SphereCone{0.5, 3.0, 4.0}, {0.0, 0.0, 0.5}, -1.0, -kZ);
  ExpectContact(SphereCone{0.5, 3.0, 4.0, 3.0}, {0.0, 0.0, 2.0}, -2.5, kZ);
  EXPECT_EQ(At(SphereBore{1.0, 2.0, 4.0}, {0.0, 0.0, 0.0}).gap, 1.0);
}

TEST(PointPairsDegenerate, CentreOnCornersAndRims) {
  const std::vector<std::pair<PointPair, Vector3d>> cases = {
      {SphereCone{0.5, 3.0, 4.0}, {0.0, 0.0, 4.0}},
      {SphereCone{0.5, 3.0, 4.0}, {0.0, 3.0, 0.0}},
      {SphereCone{0.5, 3.0, 4.0, 0.7}, {0.7, 0.0, 4.0}},
      {SphereCone{0.5, 0.0, 4.0, 0.7}, {0.0, 0.0, 0.0}},
      {SphereCylinder{0.5, 0.3, 4.0}, {0.3, 0.0, 2.0}},
      {SphereBore{0.5, 3.0, 4.0}, {0.0, -3.0, -2.0}},
      {SphereEdge{0.5, 0.4, 2.0}, {0.0, 1.0, 0.0}},
      {SpherePlane{0.5}, {0.0, 0.0, 0.0}}};
  for (const auto& [pair, p] : cases) {
    const PointContact contact = At(pair, p);
    EXPECT_NEAR(contact.gap, -0.5, 1e-15);
    EXPECT_NEAR(contact.geometry.normal_W.norm(), 1.0, 1e-15);
    // As close as doubles get, too.
    for (int k = 0; k < 50; ++k) {
      Random random(k);
      const PointContact beside = At(pair, p + 1e-16 * random.UnitVector());
      EXPECT_NEAR(beside.gap, -0.5, 1e-15);
      EXPECT_NEAR(beside.geometry.normal_W.norm(), 1.0, 1e-15);
    }
  }
}

TEST(PointPairsDegenerate, DepthKeepsItsDigitsFarFromTheOrigin) {
  const Vector3d far(1 << 20, -(1 << 21), 1 << 22);
  const double depth = 0x1p-30;
  const PointContact contact =
      FindContact(SpherePlane{0.5}, {far + Vector3d(0.0, 0.0, 0.5 - depth)}, {far});
  EXPECT_EQ(contact.geometry.depth, depth);
}

TEST(PointPairsInput, NamesTheBadParameter) {
  const auto expect_error = [](const PointPair& pair, const std::string& text) {
    try {
      FindContact(pair, {}, {});
      FAIL() << "no error; expected: " << text;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(SpherePlane{}, "SpherePlane: sphere_radius is 0 m; it must be positive");
  expect_error(SpherePlane{-1.0}, "SpherePlane: sphere_radius is -1 m");
  expect_error(SpherePlane{kInfinity}, "SpherePlane: sphere_radius is inf m");
  expect_error(SphereEdge{nan, 1.0}, "SphereEdge: sphere_radius is nan m");
  expect_error(SphereEdge{1.0, 0.0}, "SphereEdge: angle is 0 rad; it must be positive");
  expect_error(SphereEdge{1.0, 3.2}, "SphereEdge: angle is 3.2 rad");
  expect_error(SphereEdge{1.0, nan}, "SphereEdge: angle is nan rad");
  expect_error(SphereEdge{1.0, 1.0, 0.0}, "SphereEdge: length is 0 m");
  expect_error(SphereCylinder{1.0, 0.0}, "SphereCylinder: radius is 0 m");
  expect_error(SphereCylinder{1.0, 1.0, -kInfinity}, "SphereCylinder: height is -inf m");
  expect_error(SphereBore{1.0, 2.0, nan}, "SphereBore: height is nan m");
  expect_error(SphereBore{2.0, 2.0}, "SphereBore: sphere_radius is 2 m; it must be less than");
  expect_error(SphereCone{1.0, 0.0, 1.0, 0.0}, "SphereCone: radius and radius_top are 0 m");
  expect_error(SphereCone{1.0, 1.0, 0.0, 0.0}, "SphereCone: height is 0 m");
  expect_error(SphereCone{1.0, 1.0, 1.0, -1.0}, "SphereCone: radius_top is -1 m; it must be 0 or");
}

TEST(PointPairsInput, ChecksThePoses) {
  const Pose bad = {Vector3d::Zero(), {2.0, 0.0, 0.0, 0.0}};
  EXPECT_THROW(FindContact(SpherePlane{1.0}, bad, {}), InvalidInput);
  EXPECT_THROW(FindContact(SpherePlane{1.0}, {}, bad), InvalidInput);
}

}  // namespace
}  // namespace volcontact
