// Overlap test, distance bound and event function through first contact.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::events_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 662607015;

class Events : public ::testing::TestWithParam<KindPair> {};

TEST_P(Events, OverlapsAgreesWithQueries) {
  Random random(kSeed);
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  const PreparedPair prepared(pair.A, pair.B);
  QueryOptions options;
  options.tolerance = 1e-2;
  const Vector3d direction = random.UnitVector();
  for (const double shift : {0.0, 0.2, 0.4, 0.8, 1.6}) {
    const Pose X_WB = {pair.X_WB.t + shift * direction, pair.X_WB.q};
    const OverlapProof proof = prepared.Overlaps(pair.X_WA, X_WB);
    EXPECT_NE(proof, OverlapProof::kUndecided);
    const bool overlaps = proof == OverlapProof::kOverlap;
    const Metrics metrics = prepared.Query(pair.X_WA, X_WB, options);
    EXPECT_EQ(overlaps, metrics.overlap) << "shift " << shift << ", V " << metrics.volume;
    EXPECT_EQ(overlaps, prepared.EventFunction(pair.X_WA, X_WB) < 0.0);
    if (overlaps) {
      EXPECT_EQ(prepared.DistanceBound(pair.X_WA, X_WB), 0.0);
    }
  }
}

// Smooth convex kinds pressed into a half-space or drawn out of it by a known depth.
struct Supported {
  std::string name;
  Solid solid;
  double (*support)(const Vector3d& u);  // of the solid, along a unit vector of its frame

  friend void PrintTo(const Supported& s, std::ostream* out) { *out << s.name; }
};

double Radial(const Vector3d& u) { return std::hypot(u.x(), u.y()); }

std::vector<Supported> SupportedSolids() {
  return {
      {"sphere", Sphere(0.5), [](const Vector3d&) { return 0.5; }},
      {"ellipsoid", Ellipsoid({0.5, 0.3, 0.2}),
       [](const Vector3d& u) { return u.cwiseProduct(Vector3d(0.5, 0.3, 0.2)).norm(); }},
      {"box", Box({1.0, 0.5, 0.75}),
       [](const Vector3d& u) { return u.cwiseAbs().dot(Vector3d(0.5, 0.25, 0.375)); }},
      {"cylinder", Cylinder(0.3, 1.0),
       [](const Vector3d& u) { return 0.3 * Radial(u) + 0.5 * std::abs(u.z()); }},
      {"cone", Cone(0.4, 1.0), [](const Vector3d& u) { return std::max(u.z(), 0.4 * Radial(u)); }},
      {"capsule", Capsule(0.25, 1.0),
       [](const Vector3d& u) { return 0.25 + 0.5 * std::abs(u.z()); }},
      {"torus", Torus(0.5, 0.125), [](const Vector3d& u) { return 0.125 + 0.5 * Radial(u); }},
  };
}

class Approach : public ::testing::TestWithParam<Supported> {
 protected:
  // Pose of the solid, turned at random, above the half-space z <= 0 by `gap`; offset sideways.
  static Pose AtGap(Random* random, double gap) {
    Pose pose = random->PoseAt(Vector3d::Zero());
    const Vector3d down = pose.Rotation().transpose() * -Vector3d::UnitZ();
    pose.t = {random->Uniform(-1.0, 1.0), random->Uniform(-1.0, 1.0),
              GetParam().support(down) + gap};
    return pose;
  }
};

TEST_P(Approach, ThinOverlapsAndGapsAreTold) {
  Random random(kSeed);
  const PreparedPair prepared(GetParam().solid, HalfSpace());
  for (const double depth : {0.1, 1e-3, 1e-6, 1e-9, 1e-12}) {
    SCOPED_TRACE(depth);
    EXPECT_EQ(prepared.Overlaps(AtGap(&random, -depth), Pose{}), OverlapProof::kOverlap);
    EXPECT_EQ(prepared.Overlaps(AtGap(&random, depth), Pose{}), OverlapProof::kSeparated);
    EXPECT_TRUE(prepared.Query(AtGap(&random, -depth), Pose{}).overlap);
    EXPECT_FALSE(prepared.Query(AtGap(&random, depth), Pose{}).overlap);
  }
}

TEST_P(Approach, DistanceIsBoundedFromBelowWithinATenth) {
  Random random(kSeed + 1);
  const PreparedPair prepared(GetParam().solid, HalfSpace());
  const PreparedPair reversed(HalfSpace(), GetParam().solid);
  for (const double gap : {3.0, 0.1, 1e-3, 1e-5}) {
    SCOPED_TRACE(gap);
    const Pose pose = AtGap(&random, gap);
    // The gap is rounded by some ulps of the size.
    const double slack = 1e-15;
    for (const double bound :
         {prepared.DistanceBound(pose, Pose{}), reversed.DistanceBound(Pose{}, pose),
          prepared.Query(pose, Pose{}).distance.value()}) {
      EXPECT_LE(bound, gap + slack);
      EXPECT_GE(bound, std::min(0.9 * gap, gap - 1e-6));
    }
  }
}

// |f| <= (some depth) on either side of contact, and no jump between steps.
TEST_P(Approach, EventFunctionIsContinuousThroughContact) {
  const PreparedPair prepared(GetParam().solid, HalfSpace());
  double outside = 1.0, inside = -1.0;
  for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    SCOPED_TRACE(depth);
    Random random(kSeed + 2);
    const double above = prepared.EventFunction(AtGap(&random, depth), Pose{});
    random = Random(kSeed + 2);
    const double below = prepared.EventFunction(AtGap(&random, -depth), Pose{});
    EXPECT_GE(above, 0.0);
    EXPECT_LE(above, depth + 1e-15);
    EXPECT_LT(below, 0.0);
    // The volume of depth × area at most, area under 4.
    EXPECT_GE(below, -std::cbrt(4.0 * depth));
    EXPECT_LE(above, outside);
    EXPECT_GT(below, inside);
    outside = above;
    inside = below;
  }
}

std::string SupportedName(const ::testing::TestParamInfo<Supported>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(HalfSpace, Approach, ::testing::ValuesIn(SupportedSolids()),
                         SupportedName);

INSTANTIATE_TEST_SUITE_P(Kinds, Events, ::testing::ValuesIn(KindPairs()), KindPairName);

TEST(Distance, OfSpheresIsWithinATenth) {
  Random random(kSeed + 3);
  for (int i = 0; i < 10; ++i) {
    const double r = random.Uniform(0.1, 1.0), s = random.Uniform(0.1, 1.0);
    const double gap = std::pow(10.0, random.Uniform(-4.0, 1.0));
    const Vector3d p = random.UniformVector(-1.0, 1.0);
    const Pose X_WA = random.PoseAt(p);
    const Pose X_WB = random.PoseAt(p + (r + s + gap) * random.UnitVector());
    const double bound = PreparedPair(Sphere(r), Sphere(s)).DistanceBound(X_WA, X_WB);
    EXPECT_LE(bound, gap + 1e-14);
    EXPECT_GE(bound, std::min(0.9 * gap, gap - 1e-6));
  }
}

TEST(Distance, IsLeftOutWhereNobodyAsks) {
  const PreparedPair prepared(Ellipsoid({0.6, 0.7, 0.8}), Box({1.0, 1.0, 1.0}));
  QueryOptions options;
  options.bound_distance = false;
  const Pose apart = {{1.0, 1.0, 0.9}}, overlapping = {{0.9, 0.8, 0.2}};
  EXPECT_GT(prepared.QueryRelative(apart).distance, 0.1);
  EXPECT_FALSE(prepared.QueryRelative(apart, options).overlap);
  EXPECT_FALSE(prepared.QueryRelative(apart, options).distance.has_value());
  EXPECT_TRUE(BitwiseEqual(prepared.QueryRelative(overlapping),
                           prepared.QueryRelative(overlapping, options)));
}

TEST(Distance, OfBoxesAtAnEdgeIsWithinATenth) {
  const Solid cube = Box({1.0, 1.0, 1.0});
  const PreparedPair prepared(cube, cube);
  // Corner to corner, edge to edge, face to face.
  for (const Vector3d& gap : {Vector3d(0.1, 0.2, 0.2), Vector3d(0.0, 0.3, 0.4),
                              Vector3d(0.0, 0.0, 0.01), Vector3d(1e-3, 2e-3, 2e-3)}) {
    Vector3d t = gap;
    for (int i = 0; i < 3; ++i) t[i] += gap[i] > 0.0 ? 1.0 : 0.25;
    const double bound = prepared.DistanceBound(Pose{}, {t, {1.0, 0.0, 0.0, 0.0}});
    EXPECT_LE(bound, gap.norm() + 1e-15);
    EXPECT_GE(bound, 0.9 * gap.norm());
  }
}

}  // namespace
}  // namespace volcontact::testing::events_test
