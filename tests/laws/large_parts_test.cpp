// What a part holds elsewhere changes nothing: the overlap with a large part is that with the few
// primitives near it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::large_parts_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// Projections of thin overlaps are known less well than their volumes.
constexpr double kAreaAgreement = 1e-3;
constexpr double kThickness = 0.4, kHole = 0.2;

Pose At(double x, double y, double z) { return {{x, y, z}, Pose().q}; }

// A plate of n² squares of side one, each with a hole in its middle; the part of it within `reach`
// squares of the one in the middle, or all.
Solid PerforatedPlate(int n, int reach, double hole_height) {
  std::vector<Solid> holes;
  const int middle = n / 2;
  for (int i = std::max(0, middle - reach); i <= std::min(n - 1, middle + reach); ++i) {
    for (int j = std::max(0, middle - reach); j <= std::min(n - 1, middle + reach); ++j) {
      holes.push_back(
          Cylinder(kHole, hole_height).Posed(At(i - 0.5 * (n - 1), j - 0.5 * (n - 1), 0)));
    }
  }
  return Difference(Box({1.0 * n, 1.0 * n, kThickness}), holes);
}

Vector3d MiddleHole(int n) {
  const double x = n / 2 - 0.5 * (n - 1);
  return {x, x, 0.0};
}

// Both give the same, within the tolerance.
void ExpectSame(const Metrics& few, const Metrics& many, double tolerance) {
  ASSERT_TRUE(few.overlap && many.overlap);
  EXPECT_TRUE(few.converged) << few.stats.fallback;
  EXPECT_TRUE(many.converged) << many.stats.fallback;
  EXPECT_NEAR(few.volume, many.volume, 2.0 * tolerance * few.volume);
  const double size = std::sqrt(few.inertia_W.trace() / (2.0 * few.volume));
  EXPECT_LE((few.centroid_W - many.centroid_W).norm(), 2.0 * tolerance * size);
  EXPECT_LE((few.inertia_W - many.inertia_W).norm(), 4.0 * tolerance * few.inertia_W.norm());
  EXPECT_LE((few.area_vector_W - many.area_vector_W).norm(), 20.0 * tolerance * few.contact_area);
  EXPECT_NEAR(few.contact_area, many.contact_area, kAreaAgreement * few.contact_area);
  ASSERT_TRUE(many.volume_bounds);
  EXPECT_LE((*many.volume_bounds)[0], few.volume * (1.0 + tolerance));
  EXPECT_GE((*many.volume_bounds)[1], few.volume * (1.0 - tolerance));
}

// The middle of a ball of radius 0.3 that dips into the rim of a hole.
Vector3d OverTheRim(Random* random, double depth) {
  const double around = random->Uniform(0.0, 2.0 * pi), up = random->Uniform(1.05, 1.4);
  const Vector3d out(std::cos(around), std::sin(around), 0.0);
  const Vector3d rim = kHole * out + Vector3d(0, 0, 0.5 * kThickness);
  return rim + (0.3 - depth) * (std::sin(up) * Vector3d::UnitZ() - std::cos(up) * out);
}

TEST(LargeParts, HolesElsewhereChangeNothing) {
  constexpr int kSide = 30;
  const double tolerance = 1e-7;
  Random random(1);
  for (const double height : {kThickness, 1.0}) {
    const PreparedPair few(PerforatedPlate(kSide, 1, height), Sphere(0.3));
    const PreparedPair many(PerforatedPlate(kSide, kSide, height), Sphere(0.3));
    for (const double depth : {1e-2, 1e-4, 1e-6}) {
      for (int k = 0; k < 4; ++k) {
        SCOPED_TRACE(::testing::Message() << height << ' ' << depth << ' ' << k);
        const Pose X_WA = random.PoseAt(random.UniformVector(-3.0, 3.0));
        const Pose X_WB = {X_WA * (MiddleHole(kSide) + OverTheRim(&random, depth)), Pose().q};
        const QueryOptions options = {.tolerance = tolerance};
        ExpectSame(few.Query(X_WA, X_WB, options), many.Query(X_WA, X_WB, options), tolerance);
        EXPECT_EQ(many.Overlaps(X_WA, X_WB), few.Overlaps(X_WA, X_WB));
      }
    }
  }
}

// The same where a union of turned parts holds them, so that no bounding box is tight, and for A
// and B exchanged.
TEST(LargeParts, PartsElsewhereChangeNothing) {
  Random random(2);
  const double tolerance = 1e-7;
  std::vector<Solid> near, all;
  for (int k = 0; k < 300; ++k) {
    const bool is_near = k < 3;
    const Vector3d place = is_near ? random.UniformVector(-0.3, 0.3)
                                   : 2.0 * random.UnitVector() + random.UniformVector(-0.5, 0.5);
    const Solid block = Difference(Box({0.5, 0.6, 0.7}), {InfiniteCylinder(0.1)});
    const Solid part = (k % 2 == 0 ? block : Sphere(0.4)).Posed(random.PoseAt(place));
    if (is_near) near.push_back(part);
    all.push_back(part);
  }
  const Solid few = Union(near), many = Union(all);
  for (int k = 0; k < 6; ++k) {
    SCOPED_TRACE(k);
    const Solid tool = k % 2 == 0 ? Sphere(0.3) : Box({0.4, 0.3, 0.5});
    const Pose pose = random.PoseAt(random.UniformVector(-0.25, 0.25));
    const QueryOptions options = {.tolerance = tolerance};
    const Metrics expected = PreparedPair(few, tool).QueryRelative(pose, options);
    ExpectSame(expected, PreparedPair(many, tool).QueryRelative(pose, options), tolerance);
    const Metrics reversed = PreparedPair(tool, many).Query(pose, Pose{}, options);
    EXPECT_NEAR(reversed.volume, expected.volume, 2.0 * tolerance * expected.volume);
  }
}

// A box that covers m² of the holes, its sides in squares' sides, its faces flush with the plate's.
TEST(LargeParts, ManyHolesAtOnce) {
  const PreparedPair pair(PerforatedPlate(20, 20, 1.0), Box({4.0, 4.0, kThickness}));
  const double holes = 16 * pi * kHole * kHole;
  for (const double z : {0.0, 0.1}) {
    SCOPED_TRACE(z);
    const Metrics metrics = pair.QueryRelative(At(1.0, 2.0, z), {.tolerance = 1e-6});
    const double height = kThickness - z, volume = height * (16.0 - holes);
    EXPECT_TRUE(metrics.converged);
    EXPECT_NEAR(metrics.volume, volume, 1e-6 * volume);
    EXPECT_NEAR(metrics.centroid_W.x(), 1.0, 1e-6);
    EXPECT_NEAR(metrics.centroid_W.y(), 2.0, 1e-6);
    EXPECT_NEAR(metrics.centroid_W.z(), 0.5 * z, 1e-6);
  }
}

// A half-space that touches many balls of a row: the sum of caps.
TEST(LargeParts, ThinOverlapsWithManyBalls) {
  const double depth = 1e-5, radius = 0.4;
  std::vector<Solid> balls;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      for (int k = 0; k < 3; ++k) balls.push_back(Sphere(radius).Posed(At(i, j, k)));
    }
  }
  const PreparedPair pair(Union(balls), Box({3.0, 3.0, 1.0}));
  const Metrics metrics =
      pair.QueryRelative(At(5.0, 6.0, -radius - 0.5 + depth), {.tolerance = 1e-6});
  const double cap = pi * depth * depth * (radius - depth / 3.0);
  EXPECT_TRUE(metrics.converged);
  EXPECT_NEAR(metrics.volume, 9.0 * cap, 1e-6 * 9.0 * cap);
}

TEST(LargeParts, DistanceIsThatOfTheNearParts) {
  constexpr int kSide = 25;
  Random random(3);
  const PreparedPair few(PerforatedPlate(kSide, 1, 1.0), Sphere(0.3));
  const PreparedPair many(PerforatedPlate(kSide, kSide, 1.0), Sphere(0.3));
  for (const double gap : {1e-3, 0.1, 5.0}) {
    SCOPED_TRACE(gap);
    const Pose X_AB = {MiddleHole(kSide) + OverTheRim(&random, -gap), Pose().q};
    const double expected = few.DistanceBound(Pose{}, X_AB);
    const double bound = many.DistanceBound(Pose{}, X_AB);
    EXPECT_GT(bound, 0.85 * expected);
    EXPECT_LE(bound, gap);
    EXPECT_EQ(many.Overlaps(Pose{}, X_AB), OverlapProof::kSeparated);
  }
}

TEST(LargeParts, ThreadsChangeNothing) {
  const PreparedPair pair(PerforatedPlate(30, 30, 1.0), Sphere(1.5));
  Metrics first;
  for (const int threads : {1, 2, 4}) {
    const Metrics metrics =
        pair.QueryRelative(At(0.3, 0.2, 1.6), {.tolerance = 1e-6, .threads = threads});
    if (threads == 1) first = metrics;
    EXPECT_TRUE(BitwiseEqual(first, metrics)) << threads;
  }
}

}  // namespace
}  // namespace volcontact::testing::large_parts_test
