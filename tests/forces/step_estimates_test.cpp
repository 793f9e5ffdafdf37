// Suggested steps, by integrating the motions with them; voxel sizes.
#include "volcontact/forces/step_estimates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "volcontact/forces/friction_estimates.h"
#include "volcontact/forces/hydroelastic_estimates.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

using std::numbers::pi;

// One step of the classical Runge-Kutta method for x'' = f(x, x').
template <class Acceleration>
void Step(double h, Acceleration f, double* x, double* v) {
  const double k1x = *v, k1v = f(*x, *v);
  const double k2x = *v + 0.5 * h * k1v, k2v = f(*x + 0.5 * h * k1x, k2x);
  const double k3x = *v + 0.5 * h * k2v, k3v = f(*x + 0.5 * h * k2x, k3x);
  const double k4x = *v + h * k3v, k4v = f(*x + h * k3x, k4x);
  *x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
  *v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
}

// The speed with which a mass leaves an elastic contact whose force at depth x is `force(x)`, over
// the speed with which it came.
template <class Force>
double Rebound(double h, double mass, double speed, Force force) {
  const auto acceleration = [&](double x, double) { return -force(std::max(0.0, x)) / mass; };
  double x = 0.0, v = speed;
  int steps = 0;
  do {
    Step(h, acceleration, &x, &v);
  } while (x > 0.0 && ++steps < 1000);
  EXPECT_GE(steps, 8);
  return -v / speed;
}

TEST(SuggestStep, ElasticImpactsReturnTheSpeed) {
  const double mass = 2.0;
  for (const double speed : {1e-3, 0.1, 2.0}) {
    const double k = 1e6;
    const double depth = HertzDepthOfImpact(k, mass, speed);
    const double stiffness = 1.5 * k * std::sqrt(depth);
    const double h = SuggestStep({.mass = mass, .normal_stiffness = stiffness}).step;
    EXPECT_NEAR(Rebound(h, mass, speed, [&](double x) { return k * std::pow(x, 1.5); }), 1.0, 1e-3);
    for (const auto& indenter :
         {Indenter::Sphere(0.1), Indenter::Cylinder(0.1), Indenter::Cone(0.1, 0.7)}) {
      const double kv = 1e8;
      const double deepest = indenter.DepthOfImpactLeadingOrder(kv, mass, speed);
      const double step =
          SuggestStep({.mass = mass, .normal_stiffness = kv * indenter.Area(deepest)}).step;
      const auto force = [&](double x) { return kv * indenter.Volume(x); };
      EXPECT_NEAR(Rebound(step, mass, speed, force), 1.0, 1e-3) << speed;
    }
  }
}

// Sticking bristles, from underdamped to very overdamped: the explicit method decays as they do.
TEST(SuggestStep, BristlesAreStable) {
  const double mass = 2.0, sigma0 = 1e5;
  for (const double ratio : {0.05, 1.0, 3.0, 50.0}) {
    for (const double force : {1.0, 19.62, 2000.0}) {
      const double load = force / mass;
      const double sigma1 = BristleDamping(sigma0, load, ratio);
      const StepEstimate estimate = SuggestStep({.mass = mass,
                                                 .normal_stiffness = 1.0,
                                                 .normal_force = force,
                                                 .sigma0 = sigma0,
                                                 .sigma1 = sigma1});
      double x = 1e-5, v = 0.0;
      const auto acceleration = [&](double p, double q) {
        return -load * (sigma0 * p + sigma1 * q);
      };
      double energy = load * sigma0 * x * x;
      for (int i = 0; i < 1000; ++i) {
        Step(estimate.step, acceleration, &x, &v);
        const double next = load * sigma0 * x * x + v * v;
        ASSERT_LE(next, energy * (1.0 + 1e-12)) << ratio << ' ' << force << ' ' << i;
        energy = next;
      }
      EXPECT_NEAR(estimate.bristle_period, 2.0 * pi / BristleFrequency(sigma0, load), 1e-15);
    }
  }
}

TEST(SuggestStep, TakesTheShortest) {
  const double infinity = std::numeric_limits<double>::infinity();
  const StepEstimate dry = SuggestStep({.mass = 2.0, .normal_stiffness = 800.0});
  EXPECT_NEAR(dry.normal_period, 2.0 * pi / 20.0, 1e-15);
  EXPECT_NEAR(dry.step, dry.normal_period / 20.0, 1e-16);
  EXPECT_EQ(dry.bristle_period, infinity);
  EXPECT_EQ(dry.bristle_time_constant, infinity);
  EXPECT_EQ(dry.overdamped_time_constant, infinity);
  // Without load there is no sticking motion, but the bristles relax.
  const StepEstimate free =
      SuggestStep({.mass = 2.0, .normal_stiffness = 800.0, .sigma0 = 1e4, .sigma1 = 1.0});
  EXPECT_EQ(free.bristle_period, infinity);
  EXPECT_NEAR(free.bristle_time_constant, 1e-4, 1e-18);
  EXPECT_NEAR(free.step, 2.0 * pi * 1e-4 / 20.0, 1e-18);
}

// The ball on a table of Gonthier (2007), Section 5.2.1, runs with a fixed step of 5e-5 s that the
// thesis calls very small; the ball in a cylinder with 1 ms.
TEST(SuggestStep, IsOfTheOrderOfTheThesis) {
  const double mass = 2.0, kv = 1e7, weight = mass * 9.81;
  const Indenter ball = Indenter::Sphere(0.1);
  const double depth = ball.DepthOfImpactLeadingOrder(kv, mass, std::sqrt(2.0 * 9.81 * 0.1));
  const double h = SuggestStep({.mass = mass,
                                .normal_stiffness = kv * ball.Area(depth),
                                .normal_force = kv * ball.Volume(depth),
                                .sigma0 = 1e5 / weight,
                                .sigma1 = std::sqrt(1e5) / weight})
                       .step;
  EXPECT_GT(h, 5e-5);
  EXPECT_LT(h, 1e-3);
}

TEST(VoxelSize, OneVoxelCarriesTheSmallForce) {
  const double h = VoxelSize(50e-6, 1e7);
  EXPECT_NEAR(1e7 * h * h * h, 50e-6, 1e-18);
  // The thesis took 0.2 mm for the ball on a table: 80 mN, 4e-3 of its weight.
  EXPECT_NEAR(VoxelSize(1e7 * 8e-12, 1e7), 2e-4, 1e-18);
}

TEST(StepEstimates, InvalidInputIsNamed) {
  EXPECT_THROW(SuggestStep({.mass = 0.0, .normal_stiffness = 1.0}), InvalidInput);
  EXPECT_THROW(SuggestStep({.mass = 1.0}), InvalidInput);
  EXPECT_THROW(SuggestStep({.mass = 1.0, .normal_stiffness = 1.0, .normal_force = -1.0}),
               InvalidInput);
  EXPECT_THROW(SuggestStep({.mass = 1.0, .normal_stiffness = 1.0, .sigma0 = -1.0}), InvalidInput);
  EXPECT_THROW(VoxelSize(0.0, 1e7), InvalidInput);
  EXPECT_THROW(VoxelSize(1e-3, -1e7), InvalidInput);
}

}  // namespace
}  // namespace volcontact
