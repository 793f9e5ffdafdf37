// Contacts that are long and thin, in frames where their surfaces' coefficients lose digits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// What a lying capsule dips into the ground: a cylinder's segment along its height, and the cap of
// a ball.
double DippedVolume(double radius, double height, double depth) {
  // The segment by its half angle, in a form that keeps its digits: θ − sin θ cos θ.
  const double theta = 2.0 * std::asin(std::sqrt(0.5 * depth / radius)), twice = 2.0 * theta;
  double sum = 0.0, term = twice;
  for (int n = 1; n < 12; ++n) {
    term *= -twice * twice / (2.0 * n * (2.0 * n + 1.0));
    sum -= term;
  }
  const double segment = theta < 0.5 ? 0.5 * sum : theta - 0.5 * std::sin(twice);
  return height * radius * radius * segment + pi * depth * depth * (radius - depth / 3.0);
}

Solid LyingCapsule(double radius, double height, double depth, const Vector3d& at, double turn) {
  const double half = std::sqrt(0.5);
  return Capsule(radius, height)
      .Posed({{0.0, 0.0, 0.0}, {half, 0.0, half, 0.0}})
      .Posed(AxisAngle(Vector3d::UnitZ(), turn, at + Vector3d(0.0, 0.0, radius - depth)));
}

TEST(Needles, LyingCapsulesGoAlongWholeCurves) {
  Random random(8);
  const Solid plate = Box({9.0, 9.0, 1.0}).Posed({{0.0, 0.0, -0.5}, {1.0, 0.0, 0.0, 0.0}});
  for (const double depth : {1e-3, 1e-5, 1e-6, 1e-7}) {
    for (int trial = 0; trial < 6; ++trial) {
      const double radius = random.Uniform(0.05, 0.3), height = random.Uniform(0.1, 0.6);
      const Solid capsule =
          LyingCapsule(radius, height, depth,
                       random.UniformVector(-1.0, 1.0).cwiseProduct(Vector3d(1.0, 1.0, 0.0)),
                       random.Uniform(0.0, 3.0));
      const ArcMethodResult result =
          SumEdgesOf(plate, capsule, {.tolerance = 1e-6, .max_cells = 30'000});
      ASSERT_EQ(result.failure, ArcFailure::kNone) << depth << " " << trial;
      EXPECT_TRUE(result.raw.converged) << depth << " " << trial;
      EXPECT_NEAR(result.raw.moments.volume / DippedVolume(radius, height, depth), 1.0, 1e-6)
          << depth << " " << trial;
      // Cells would find hundreds of pieces.
      EXPECT_LT(result.pieces, 40) << depth << " " << trial;
    }
  }
}

TEST(Needles, RowsOfCapsulesAreTheSumOfEach) {
  const Solid plate = Box({9.0, 9.0, 1.0}).Posed({{0.0, 0.0, -0.5}, {1.0, 0.0, 0.0, 0.0}});
  const std::vector<double> depths = {1e-6, 3e-4, 1e-7, 1e-3, 2e-5};
  std::vector<Solid> capsules;
  double expected = 0.0;
  for (std::size_t n = 0; n < depths.size(); ++n) {
    const Vector3d at(-1.6 + 0.8 * static_cast<double>(n), 0.0, 0.0);
    capsules.push_back(LyingCapsule(0.2, 0.5, depths[n], at, 0.9));
    expected += DippedVolume(0.2, 0.5, depths[n]);
  }
  const ArcMethodResult result =
      SumEdgesOf(plate, Union(capsules), {.tolerance = 1e-6, .max_cells = 30'000});
  ASSERT_EQ(result.failure, ArcFailure::kNone);
  EXPECT_TRUE(result.raw.converged);
  EXPECT_NEAR(result.raw.moments.volume / expected, 1.0, 1e-6);
}

}  // namespace
}  // namespace volcontact::testing
