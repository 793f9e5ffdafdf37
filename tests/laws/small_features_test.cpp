// Parts of a region that fit between two slices: edges and corners that just reach into a ball.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::small_features_test {
namespace {

using Eigen::Vector3d;

Solid BoxBetween(const Vector3d& low, const Vector3d& high) {
  const Vector3d size = high - low;
  return Box(size).Posed(Pose{0.5 * (low + high)});
}

QueryOptions OctreeAt(double tolerance) {
  QueryOptions options;
  options.method = Method::kBoundary;
  options.tolerance = tolerance;
  return options;
}

// An L, and the two boxes it consists of.
struct Bracket {
  Solid whole = Difference(BoxBetween({0.0, 0.0, 0.0}, {3.0, 3.0, 1.0}),
                           {BoxBetween({1.0, 1.0, -1.0}, {4.0, 4.0, 2.0})});
  std::array<Solid, 2> parts = {BoxBetween({0.0, 0.0, 0.0}, {3.0, 1.0, 1.0}),
                                BoxBetween({0.0, 1.0, 0.0}, {1.0, 3.0, 1.0})};
};

// The ball against the L by the octree, and against its convex parts by other methods.
void ExpectPartsAddUp(const Vector3d& center, double tolerance) {
  SCOPED_TRACE(::testing::Message() << center.transpose() << " at " << tolerance);
  const Bracket bracket;
  const Solid ball = Sphere(0.6).Posed(Pose{center});
  const Metrics whole = Query(bracket.whole, ball, OctreeAt(tolerance));
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  QueryOptions options;
  options.tolerance = 1e-10;
  for (const Solid& part : bracket.parts) {
    const Metrics metrics = Query(part, ball, options);
    volume += metrics.volume;
    first += metrics.volume * metrics.centroid_W;
  }
  EXPECT_TRUE(whole.converged);
  EXPECT_NEAR(whole.volume, volume, (tolerance + 1e-9) * volume);
  EXPECT_LE((whole.volume * whole.centroid_W - first).norm(), (tolerance + 1e-9) * volume);
}

TEST(SmallFeatures, AnInnerEdgeThatJustEntersABall) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    ExpectPartsAddUp({0.611956, 0.639408, 1.256301}, tolerance);
    ExpectPartsAddUp({1.314885, 0.424476, -0.168790}, tolerance);
    ExpectPartsAddUp({2.230583, -0.217152, 1.031186}, tolerance);
  }
}

TEST(SmallFeatures, BallsAtRandomPlacesOfABracket) {
  Random random(20261121);
  for (int trial = 0; trial < 150; ++trial) {
    ExpectPartsAddUp(
        {random.Uniform(-0.3, 2.0), random.Uniform(-0.3, 2.0), random.Uniform(-0.5, 1.5)}, 1e-7);
  }
}

// A bar less a ball that is thicker than the bar: against a product rule for what the ball takes,
// the integral of 2 sqrt(1 − y² − z²) over the bar's section.
TEST(SmallFeatures, ABarCutByABall) {
  constexpr std::array<double, 5> kNodes = {0.0, 0.5384693101056831, -0.5384693101056831,
                                            0.9061798459386640, -0.9061798459386640};
  constexpr std::array<double, 5> kWeights = {0.5688888888888889, 0.4786286704993665,
                                              0.4786286704993665, 0.2369268850561891,
                                              0.2369268850561891};
  constexpr int kParts = 20;
  const double step = 0.5 / kParts;
  double taken = 0.0;
  for (int i = -kParts; i < kParts; ++i) {
    for (int j = -kParts; j < kParts; ++j) {
      for (int m = 0; m < 5; ++m) {
        for (int n = 0; n < 5; ++n) {
          const double y = step * (i + 0.5 + 0.5 * kNodes[m]);
          const double z = step * (j + 0.5 + 0.5 * kNodes[n]);
          taken +=
              0.25 * step * step * kWeights[m] * kWeights[n] * 2.0 * std::sqrt(1.0 - y * y - z * z);
        }
      }
    }
  }
  const Solid bar = Difference(Box({3.0, 1.0, 1.0}), {Sphere(1.0)});
  for (const double tolerance : {1e-4, 1e-6, 1e-7, 1e-8, 1e-10}) {
    QueryOptions options;
    options.tolerance = tolerance;
    const MassProperties metrics = ComputeMassProperties(bar, options);
    EXPECT_TRUE(metrics.converged);
    EXPECT_NEAR(metrics.volume, 3.0 - taken, tolerance * metrics.volume);
    EXPECT_LE(std::abs(metrics.volume - (3.0 - taken)),
              10.0 * metrics.volume_error + 1e-13 * metrics.volume);
  }
}

}  // namespace
}  // namespace volcontact::testing::small_features_test
