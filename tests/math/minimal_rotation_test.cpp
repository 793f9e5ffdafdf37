#include "math/minimal_rotation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_solids.h"

namespace volcontact::testing::minimal_rotation_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20261126;
// Directions of doubles, of which some in a hundred at random are so nearly opposite that the half
// of the angle between has lost three digits; of opposite ones it is known to the square root of a
// rounding.
constexpr double kAtRandom = 1e-12, kOpposite = 1e-7;

// Opposite to within the square root of a rounding, or less.
constexpr double kNearlyOpposite = 1e-14;

// It takes the one to the other but for the tolerance, about an axis across both.
void ExpectLeast(const Vector3d& from, const Vector3d& to, double tolerance) {
  const Eigen::Quaterniond q = MinimalRotation(from, to);
  EXPECT_NEAR(q.norm(), 1.0, tolerance);
  EXPECT_LE((q * from.normalized() - to.normalized()).norm(), tolerance);
  EXPECT_LE(std::abs(q.vec().dot(from.normalized())), tolerance);
  EXPECT_LE(std::abs(q.vec().dot(to.normalized())), tolerance);
}

TEST(MinimalRotation, TakesOneDirectionToAnother) {
  Random random(kSeed);
  for (int n = 0; n < 100; ++n) {
    ExpectLeast(random.UniformVector(-2.0, 2.0), random.UniformVector(-0.5, 0.5), kAtRandom);
  }
}

TEST(MinimalRotation, OfEqualDirectionsIsNone) {
  const Eigen::Quaterniond q = MinimalRotation({0.0, 0.0, 1.0}, {0.0, 0.0, 3.0});
  EXPECT_EQ(q.w(), 1.0);
  EXPECT_EQ(q.vec().norm(), 0.0);
}

TEST(MinimalRotation, OfOppositeDirectionsIsHalfATurn) {
  Random random(kSeed + 1);
  for (int n = 0; n < 20; ++n) {
    const Vector3d from = random.UniformVector(-1.0, 1.0);
    ExpectLeast(from, -from, kOpposite);
    EXPECT_NEAR(MinimalRotation(from, -from).w(), 0.0, kOpposite);
  }
}

TEST(MinimalRotation, OfNearlyOppositeDirectionsKeepsItsDigits) {
  Random random(kSeed + 2);
  for (int n = 0; n < 200; ++n) {
    const Vector3d from = random.UniformVector(-1.0, 1.0).normalized();
    const double angle = std::pow(10.0, random.Uniform(-16.0, -6.5));
    ExpectLeast(from, -from + angle * random.UniformVector(-1.0, 1.0), kNearlyOpposite);
  }
}

}  // namespace
}  // namespace volcontact::testing::minimal_rotation_test
