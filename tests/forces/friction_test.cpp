// What bristle friction does: sticks as a spring, breaks away, slides, dwells, spins (Gonthier
// 2007, Sections 3.2 and 4.4).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forces/ode.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::testing::friction_test {
namespace {

using Eigen::Vector3d;

constexpr double kLoad = 12.0;  // f_n [N]
constexpr double kRadius = 0.02;

BristleFriction Law() {
  return {.mu_s = 0.6,
          .mu_c = 0.4,
          .sigma0 = 1e4,
          .sigma1 = 65.0,
          .sigma2 = 0.1,
          .v_stribeck = 1e-3,
          .tau_dwell = 0.5};
}

FrictionInput Moving(const Vector3d& velocity, double spin = 0.0, double radius = kRadius) {
  FrictionInput input;
  input.normal_force = kLoad;
  input.velocity_W = velocity;
  input.spin = spin;
  input.gyration_radius = radius;
  return input;
}

// The state after a time at a steady motion.
FrictionState After(double time, const BristleFriction& law, const FrictionInput& input,
                    const FrictionState& start = {}) {
  using State = Eigen::Matrix<double, 5, 1>;
  const auto unpack = [](const State& y) { return FrictionState{y.head<3>(), y[3], y[4]}; };
  const auto rate = [&](double, const State& y) {
    const FrictionForce f = EvaluateFriction(law, input, unpack(y));
    State dy;
    dy << f.deflection_rate_W, f.twist_rate, f.dwell_rate;
    return dy;
  };
  State y;
  y << start.deflection_W, start.twist, start.dwell;
  Integrate<5>(rate, 0.0, time, &y);
  return unpack(y);
}

TEST(Bristles, StickAsASpring) {
  const BristleFriction law = Law();
  FrictionState state;
  state.deflection_W = Vector3d(3e-6, -4e-6, 0.0);
  state.twist = 1e-4;
  state.dwell = 1.0;
  const FrictionForce f = EvaluateFriction(law, Moving(Vector3d::Zero()), state);
  EXPECT_LE((f.force_W + kLoad * law.sigma0 * state.deflection_W).norm(), 1e-14);
  EXPECT_NEAR(f.torque, -kLoad * kRadius * kRadius * law.sigma0 * state.twist, 1e-16);
  EXPECT_LE(f.deflection_rate_W.norm(), 1e-18);
  EXPECT_NEAR(f.twist_rate, 0.0, 1e-16);
}

TEST(Bristles, SlideAtCoulombsForce) {
  const BristleFriction law = Law();
  for (const double speed : {0.01, 0.3, 5.0}) {
    const Vector3d v = speed * Vector3d(0.6, -0.8, 0.0);
    const FrictionInput input = Moving(v);
    const FrictionState state = After(1.0, law, input, {.deflection_W = {0, 2e-5, 0}, .dwell = 1});
    const FrictionForce f = EvaluateFriction(law, input, state);
    const Vector3d expected = -kLoad * (law.mu_c / speed + law.sigma2) * v;
    EXPECT_LE((f.force_W - expected).norm(), 1e-8 * kLoad) << speed;
    EXPECT_LE(f.deflection_rate_W.norm(), 1e-8);
    EXPECT_NEAR(f.dissipated_power + f.viscous_power, -expected.dot(v), 1e-7 * kLoad * speed);
  }
}

TEST(Bristles, SpinAtCoulombsTorque) {
  const BristleFriction law = Law();
  for (const double spin : {-30.0, 2.0, 100.0}) {
    const FrictionInput input = Moving(Vector3d::Zero(), spin);
    const FrictionState state = After(1.0, law, input);
    const FrictionForce f = EvaluateFriction(law, input, state);
    const double expected = -kLoad * (law.mu_c * kRadius * std::copysign(1.0, spin) +
                                      law.sigma2 * kRadius * kRadius * spin);
    EXPECT_NEAR(f.torque, expected, 1e-8 * kLoad * kRadius) << spin;
    EXPECT_LE(f.force_W.norm(), 1e-12);
  }
}

// C_v = v/v_avg, C_ω = r_gyr |ω|/v_avg, the squares of which add up to one (4.211).
TEST(Bristles, SlidingAndSpinningShareFriction) {
  BristleFriction law = Law();
  law.sigma2 = 0.0;
  for (const double angle : {0.01, 0.3, 0.785, 1.2, 1.56}) {
    const double average = 0.5;
    const FrictionInput input =
        Moving(average * std::cos(angle) * Vector3d::UnitX(), average * std::sin(angle) / kRadius);
    const FrictionForce f = EvaluateFriction(law, input, After(1.0, law, input));
    EXPECT_NEAR(-f.force_W.x() / (law.mu_c * kLoad), std::cos(angle), 1e-8);
    EXPECT_NEAR(-f.torque / (law.mu_c * kLoad * kRadius), std::sin(angle), 1e-8);
  }
}

// Drawn slowly: never more than μ_max f_n, and just that.
TEST(Bristles, SaturateAtTheStictionThatHasGrown) {
  BristleFriction law = Law();
  law.tau_dwell = 1e9;
  law.sigma2 = 0.0;
  for (const double dwell : {0.0, 0.25, 1.0}) {
    const FrictionInput input = Moving(1e-5 * Vector3d::UnitY());
    const FrictionState state = After(50.0, law, input, {.dwell = dwell});
    const double mu_max = law.mu_c + (law.mu_s - law.mu_c) * state.dwell;
    const double mu = -EvaluateFriction(law, input, state).force_W.y() / kLoad;
    EXPECT_NEAR(mu, mu_max, 1e-4 * law.mu_s);
    EXPECT_NEAR(state.dwell, std::min(dwell, std::exp(-1e-4)), 1e-6);
    EXPECT_NEAR(law.sigma0 * state.deflection_W.y(), mu_max, 1e-4 * law.mu_s);
  }
}

// Eq. (3.36): up with τ_dw, down with τ_br = σ1/σ0.
TEST(Bristles, DwellGrowsSlowlyAndBreaksFast) {
  const BristleFriction law = Law();
  for (const double t : {0.01, 0.2, 1.0, 4.0}) {
    const FrictionState up = After(t, law, Moving(Vector3d::Zero()));
    EXPECT_NEAR(up.dwell, 1.0 - std::exp(-t / law.tau_dwell), 1e-9) << t;
  }
  for (const double t : {1e-4, 6.5e-3, 0.05}) {
    const FrictionState down = After(t, law, Moving(Vector3d::UnitX()), {.dwell = 0.8});
    EXPECT_NEAR(down.dwell, 0.8 * std::exp(-t * law.sigma0 / law.sigma1), 1e-9) << t;
    const FrictionState spun = After(t, law, Moving(Vector3d::Zero(), 50.0), {.dwell = 0.8});
    EXPECT_NEAR(spun.dwell, down.dwell, 1e-9) << t;
  }
  // In between, towards s.
  const double s = std::exp(-0.49);
  const FrictionState mid = After(0.3, law, Moving(7e-4 * Vector3d::UnitX()), {.dwell = 0.1});
  EXPECT_NEAR(mid.dwell, s + (0.1 - s) * std::exp(-0.3 / law.tau_dwell), 1e-9);
}

// A block under a force that grows until it breaks away; returns the greatest friction.
double BreakAway(const BristleFriction& law, double dwell) {
  const double mass = kLoad / 9.81, growth = 0.5;  // [N/s]
  using State = Eigen::Vector4d;                   // place, speed, deflection, dwell
  const auto force = [&](const State& y) {
    FrictionState state{.deflection_W = {y[2], 0, 0}, .dwell = y[3]};
    return EvaluateFriction(law, Moving({y[1], 0, 0}), state);
  };
  const auto rate = [&](double t, const State& y) {
    const FrictionForce f = force(y);
    return State(y[1], (growth * t + f.force_W.x()) / mass, f.deflection_rate_W.x(), f.dwell_rate);
  };
  double most = 0.0;
  State y(0.0, 0.0, 0.0, dwell);
  OdeOptions options;
  options.relative = 1e-8;
  options.absolute = 1e-12;
  options.max_step = 1e-2;
  const double t = Integrate<4>(
      rate, 0.0, 60.0, &y,
      [&](double, const State& at) {
        most = std::max(most, -force(at).force_W.x());
        return at[1] > 0.1;
      },
      options);
  EXPECT_LT(t, 60.0);
  // Sliding then, at Coulomb's friction.
  EXPECT_NEAR(-force(y).force_W.x(), kLoad * (law.mu_c + law.sigma2 * y[1]), 0.01 * kLoad);
  return most;
}

TEST(Bristles, BreakAwayAtTheStictionThatHasGrown) {
  BristleFriction law = Law();
  law.sigma2 = 0.0;
  EXPECT_NEAR(BreakAway(law, 1.0) / kLoad, law.mu_s, 1e-3);
  law.tau_dwell = 1e3;  // a short dwell: it hardly grows meanwhile
  const double low = BreakAway(law, 0.0) / kLoad, middle = BreakAway(law, 0.5) / kLoad;
  EXPECT_NEAR(low, law.mu_c, 5e-3);
  EXPECT_NEAR(middle, 0.5 * (law.mu_c + law.mu_s), 5e-3);
  EXPECT_LT(low, middle);
  law.tau_dwell = 0.0;  // at once
  EXPECT_NEAR(BreakAway(law, 0.0) / kLoad, law.mu_s, 1e-3);
}

// In stick nothing is lost in the springs, and what they hold is what BristleEnergy says.
TEST(Bristles, SpringsHoldWhatTheyTook) {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{.stiffness_a = 1e8};
  parameters.friction = Law();
  const ContactModel model(parameters);
  ContactGeometry geometry;
  geometry.touching = true;
  geometry.normal_W = Vector3d::UnitZ();
  geometry.volume = kLoad / 1e8;
  geometry.gyration_radius = kRadius;
  ContactState contact;
  contact.touching = true;
  contact.normal_W = geometry.normal_W;
  using State = Eigen::Matrix<double, 7, 1>;  // z_x, z_y, θ, elastic, dissipated; total; work
  const auto rate = [&](double t, const State& y) {
    contact.friction = {.deflection_W = {y[0], y[1], 0}, .twist = y[2], .dwell = 1.0};
    ContactMotion motion;
    motion.tangential_velocity_W = 1e-7 * Vector3d(std::cos(3.0 * t), std::sin(2.0 * t), 0.0);
    motion.spin = 1e-6 * std::cos(2.5 * t);
    const ContactForce f = model.Evaluate(geometry, motion, contact);
    const ContactPowers& p = f.powers;
    State dy;
    dy << f.rate.deflection_W.head<2>(), f.rate.twist, p.bristle_elastic + p.spin_elastic,
        p.Dissipated(), p.Total(),
        -f.force_W.dot(motion.tangential_velocity_W) - f.torque_W.z() * motion.spin;
    return dy;
  };
  State y = State::Zero();
  OdeOptions options;
  options.absolute = 1e-20;
  Integrate<7>(rate, 0.0, 4.0, &y, options);
  const FrictionState end{.deflection_W = {y[0], y[1], 0}, .twist = y[2], .dwell = 1.0};
  const double energy = model.BristleEnergy(geometry, kLoad, end);
  // While a bristle creeps towards its sliding deflection, a part 1 − s = 1e-8 of the motion, the
  // spring gains without work, which is not credited.
  EXPECT_GT(energy, 1e-13);
  EXPECT_NEAR(y[3], energy, 1e-3 * energy);
  EXPECT_NEAR(y[5], y[6], 1e-9 * std::abs(y[6]));
  EXPECT_GE(y[4], 0.0);
}

}  // namespace
}  // namespace volcontact::testing::friction_test
