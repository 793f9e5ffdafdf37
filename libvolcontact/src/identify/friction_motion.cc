#include "volcontact/identify/friction_motion.h"

#include <algorithm>
#include <array>
#include <boost/numeric/odeint/integrate/integrate_n_steps.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <cmath>

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Deflection and dwell of the bristles.
using BristleState = std::array<double, 2>;

// So many steps a time constant of the bristles, but no more an interval than resolve samples that
// are far apart.
constexpr double kStepsPerConstant = 2.0, kMostSteps = 100.0, kLeastSteps = 4.0;

struct Drive {
  double speed, other;  // at one instant; `other` is the motion across, as a surface speed
};

// The slope of the parabola through a sample and its neighbours, of that at an end through the
// nearest three.
double SlopeAt(const FrictionRun& run, Index i) {
  const Index n = run.speed.size();
  const auto secant = [&](Index k) {
    return (run.speed[k + 1] - run.speed[k]) / (run.time[k + 1] - run.time[k]);
  };
  if (n == 2) return secant(0);
  const Index k = std::clamp<Index>(i, 1, n - 2);
  const double before = run.time[k] - run.time[k - 1], after = run.time[k + 1] - run.time[k];
  const double bend = (secant(k) - secant(k - 1)) / (before + after);  // half the second derivative
  return secant(k - 1) + bend * before + 2.0 * bend * (run.time[i] - run.time[k]);
}

// Speeds are smooth: a chord across each interval would put reversals, where dwell begins, too late
// or too early.
double CubicSpeed(const FrictionRun& run, Index i, double fraction) {
  const double h = run.time[i + 1] - run.time[i], x = fraction, y = 1.0 - fraction;
  return y * y * (1.0 + 2.0 * x) * run.speed[i] + x * x * (1.0 + 2.0 * y) * run.speed[i + 1] +
         h * x * y * (y * SlopeAt(run, i) - x * SlopeAt(run, i + 1));
}

Drive At(const FrictionRun& run, Index i, double fraction) {
  const auto across = [&](Index k) {
    const double v = run.average_speed[k], u = run.speed[k];
    return run.mixed ? std::sqrt(std::max(0.0, v * v - u * u)) : 0.0;
  };
  const Index j = std::min(i + 1, run.speed.size() - 1);
  return {fraction > 0.0 ? CubicSpeed(run, i, fraction) : run.speed[i],
          (1.0 - fraction) * across(i) + fraction * across(j)};
}

// Force and rates of the bristles under a unit load. A torque over the gyration radius obeys the
// same equations in the surface speed.
FrictionForce Force(const BristleFriction& law, const Drive& drive, bool mixed,
                    const BristleState& state) {
  FrictionInput input;
  input.normal_force = 1.0;
  input.velocity_W = {drive.speed, 0.0, 0.0};
  input.spin = drive.other;
  input.gyration_radius = mixed ? 1.0 : 0.0;
  FrictionState bristles;
  bristles.deflection_W = {state[0], 0.0, 0.0};
  bristles.dwell = state[1];
  return EvaluateFriction(law, input, bristles);
}

// From sample i to the next by steps that resolve the bristles' time constants.
void Advance(const BristleFriction& law, const FrictionRun& run, Index i, BristleState* state) {
  namespace odeint = boost::numeric::odeint;
  const double interval = run.time[i + 1] - run.time[i];
  double constant = law.sigma1 / law.sigma0;
  if (law.tau_dwell > 0.0) constant = std::min(constant, law.tau_dwell);
  const auto steps = static_cast<int>(
      std::clamp(std::ceil(kStepsPerConstant * interval / constant), kLeastSteps, kMostSteps));
  const auto system = [&](const BristleState& at, BristleState& rate, double time) {
    const FrictionForce force = Force(law, At(run, i, time / interval), run.mixed, at);
    rate = {force.deflection_rate_W.x(), force.dwell_rate};
  };
  odeint::integrate_n_steps(odeint::runge_kutta4<BristleState>(), system, *state, 0.0,
                            interval / steps, steps);
}

}  // namespace

VectorXd SimulateCoefficient(const FrictionRun& run, const BristleFriction& law) {
  const Index n = run.speed.size();
  VectorXd coefficient(n);
  const double ratio = run.average_speed[0] / law.v_stribeck;
  BristleState state = {0.0, std::exp(-ratio * ratio)};
  for (Index i = 0; i < n; ++i) {
    coefficient[i] = -Force(law, At(run, i, 0.0), run.mixed, state).force_W.x();
    if (i + 1 < n) Advance(law, run, i, &state);
  }
  return coefficient;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
