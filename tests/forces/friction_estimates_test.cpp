// Friction heuristics against the motion that they stand for, and the examples of Gonthier (2007).
#include "volcontact/forces/friction_estimates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// x'' + c x' + k x = 0 from x = 1 at rest, by small steps of the trapezoidal rule; visits (t, x).
template <class Visit>
void Oscillate(double c, double k, double end, Visit visit) {
  const double h = end / 200'000;
  double x = 1.0, v = 0.0;
  for (double t = 0.0; t < end; t += h) {
    const double rate = -c * v - k * x;
    const double next =
        (v + 0.5 * h * (rate - k * x - 0.5 * h * k * v)) / (1.0 + 0.5 * h * c + 0.25 * h * h * k);
    x += 0.5 * h * (v + next);
    v = next;
    visit(t + h, x);
  }
}

TEST(EstimateFriction, BristlesBreakAwayAtThePreSlidingDisplacement) {
  const FrictionEstimate estimate = EstimateFriction({.mu_s = 0.3, .pre_sliding = 2e-5});
  EXPECT_NEAR(estimate.sigma0 * 2e-5, 0.3, 1e-16);
}

TEST(EstimateFriction, SettlesSoonestWithoutOscillation) {
  const double g = 9.81;
  const FrictionEstimate estimate = EstimateFriction({.mu_s = 0.3, .load_per_mass = g});
  const double end = 20.0 / estimate.bristle_frequency;
  double least = 1.0;
  Oscillate(g * estimate.sigma1, g * estimate.sigma0, end,
            [&](double, double x) { least = std::min(least, x); });
  EXPECT_GT(least, -1e-9);
  // 10 % less damping swings through.
  Oscillate(0.9 * g * estimate.sigma1, g * estimate.sigma0, end,
            [&](double, double x) { least = std::min(least, x); });
  EXPECT_LT(least, -1e-4);
}

TEST(EstimateFriction, StiffnessAndDampingAreFoundFromAnOscillation) {
  const double g = 9.81, sigma0 = 4500.0, ratio = 0.1;
  const double sigma1 = BristleDamping(sigma0, g, ratio);
  double crossings = 0.0, first = 0.0, last = 0.0, previous = 1.0;
  Oscillate(g * sigma1, g * sigma0, 0.2, [&](double t, double x) {
    if ((x > 0.0) != (previous > 0.0)) {
      if (crossings++ == 0.0) first = t;
      last = t;
    }
    previous = x;
  });
  const double damped = 3.14159265358979 * (crossings - 1.0) / (last - first);
  const double natural = damped / std::sqrt(1.0 - ratio * ratio);
  EXPECT_NEAR(BristleStiffnessFromFrequency(natural, g) / sigma0, 1.0, 1e-4);
  EXPECT_NEAR(BristleFrequency(sigma0, g), natural, 1e-4 * natural);
}

TEST(EstimateFriction, TimeConstantsAndTolerances) {
  const FrictionEstimate estimate =
      EstimateFriction({.mu_s = 0.45, .pre_sliding = 4.5e-6, .v_stribeck = 0.1});
  EXPECT_NEAR(estimate.sigma0, 1e5, 1e-9);  // of the ball on a slope, Table 5.2
  EXPECT_NEAR(estimate.v_epsilon, 0.001, 1e-18);
  EXPECT_NEAR(estimate.bristle_time_constant, 2.0 / std::sqrt(9.81e5), 1e-15);  // (3.52)
  EXPECT_NEAR(estimate.bristle_time_constant * estimate.bristle_frequency, 2.0, 1e-14);
  EXPECT_NEAR(estimate.tau_dwell, 10.0 * estimate.bristle_time_constant, 1e-15);
  EXPECT_EQ(SmallImpactSpeed(5.0), 1e-3);
  EXPECT_EQ(SmallImpactSpeed(0.01), 1e-4);
}

TEST(EstimateFriction, InvalidInputIsNamed) {
  EXPECT_THROW(EstimateFriction({.mu_s = 0.0}), InvalidInput);
  EXPECT_THROW(EstimateFriction({.mu_s = 0.3, .pre_sliding = -1.0}), InvalidInput);
  EXPECT_THROW(EstimateFriction({.mu_s = 0.3, .load_per_mass = 0.0}), InvalidInput);
  EXPECT_THROW(EstimateFriction({.mu_s = 0.3, .damping_ratio = 0.0}), InvalidInput);
  EXPECT_THROW(EstimateFriction({.mu_s = 0.3, .v_stribeck = std::nan("")}), InvalidInput);
  EXPECT_THROW(BristleStiffnessFromFrequency(0.0, 9.81), InvalidInput);
  EXPECT_THROW(SmallImpactSpeed(0.0), InvalidInput);
}

}  // namespace
}  // namespace volcontact
