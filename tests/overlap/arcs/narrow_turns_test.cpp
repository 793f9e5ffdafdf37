// Cylinders whose edges turn in little room, since the surfaces nearly touch there, and heaps of so
// many bodies that some edge does so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::narrow_turns_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kTolerance = 1e-9;

Metrics QueryOf(const Solid& A, const Solid& B, const Pose& X_AB = Pose()) {
  QueryOptions options;
  options.tolerance = kTolerance;
  options.bound_distance = false;
  return PreparedPair(A, B).Query(Pose(), X_AB, options);
}

// The integral of f over [a, b], given by the distances from both ends: by the trapezoidal rule
// after x = tanh(pi/2 sinh t), which takes singularities at the ends, and beside them.
template <class Integrand>
double DoubleExponential(double a, double b, const Integrand& f) {
  constexpr int kSteps = 400;
  constexpr double kReach = 3.6;
  double sum = 0.0;
  for (int n = -kSteps; n <= kSteps; ++n) {
    const double t = kReach * n / kSteps, s = 0.5 * pi * std::sinh(t);
    // The parts of the interval below and above the place.
    const double below = 1.0 / (1.0 + std::exp(-2.0 * s)), above = 1.0 / (1.0 + std::exp(2.0 * s));
    const double slope = pi * std::cosh(t) * below * above;
    sum += f((b - a) * below, (b - a) * above) * slope;
  }
  return sum * (b - a) * kReach / kSteps;
}

// Long cylinders of radii R and r have axes `offset` apart, at an angle: parallelograms
// between the strips that planes along both axes cut out of them.
double VolumeOfCrossed(double R, double r, double offset, double angle) {
  const double low = std::max(-R, offset - r), high = std::min(R, offset + r);
  // Distances from the ends of both diameters, of which some nearly coincide.
  const double low_R = low + R, low_r = low - (offset - r), high_R = R - high,
               high_r = offset + r - high;
  return DoubleExponential(low, high,
                           [&](double below, double above) {
                             return 4.0 * std::sqrt((low_R + below) * (high_R + above)) *
                                    std::sqrt((low_r + below) * (high_r + above));
                           }) /
         std::sin(angle);
}

TEST(NarrowTurns, CrossedCylindersThatNearlyTouch) {
  Random random(7);
  for (int n = 0; n < 120; ++n) {
    const double off = std::pow(10.0, random.Uniform(-6.5, -1.0)), sign = n % 2 == 0 ? 1.0 : -1.0;
    const double angle = random.Uniform(0.4, 0.5 * pi);
    const bool are_equal = n % 3 == 0;
    const double r = are_equal ? 1.0 + sign * off : random.Uniform(0.3, 0.95);
    const double offset = are_equal ? 0.0 : 1.0 - r + sign * off;
    SCOPED_TRACE(::testing::Message()
                 << "radius " << r << ", offset " << offset << ", angle " << angle);
    const Pose X = {{offset, 0.0, 0.0}, {std::cos(0.5 * angle), std::sin(0.5 * angle), 0.0, 0.0}};
    const Metrics metrics = QueryOf(Cylinder(1.0, 14.0), Cylinder(r, 14.0), X);
    EXPECT_TRUE(metrics.converged);
    EXPECT_NEAR(metrics.volume / VolumeOfCrossed(1.0, r, offset, angle), 1.0, 2.0 * kTolerance);
  }
}

// Some of so many curves nearly cross themselves.
TEST(NarrowTurns, AmongManyBodies) {
  Random random(20261127);
  for (int heap = 0; heap < 3; ++heap) {
    std::vector<Solid> bodies;
    for (int n = 0; n < 700; ++n) {
      const Pose X = random.PoseAt(
          {random.Uniform(-1.2, 1.2), random.Uniform(-1.2, 1.2), random.Uniform(-0.05, 0.05)});
      const Solid body = n % 3 == 0   ? Box({0.05, 0.05, 0.1})
                         : n % 3 == 1 ? Cylinder(0.02, 0.1)
                                      : Cone(0.03, 0.1);
      bodies.push_back(body.Posed(X));
    }
    const Solid all = Union(std::move(bodies));
    const Metrics metrics = QueryOf(all, HalfSpace());
    EXPECT_TRUE(metrics.converged);
    // What is above the plane and what is below make all of it.
    const Metrics above = QueryOf(all, HalfSpace().Posed({Vector3d::Zero(), {0, 1, 0, 0}}));
    EXPECT_TRUE(above.converged);
    const double whole = ComputeMassProperties(all).volume;
    EXPECT_NEAR(metrics.volume + above.volume, whole, 1e-8 * whole);
  }
}

}  // namespace
}  // namespace volcontact::testing::narrow_turns_test
