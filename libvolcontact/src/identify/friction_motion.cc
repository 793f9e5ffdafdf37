#include "volcontact/identify/friction_motion.h"

#include <algorithm>
#include <cmath>

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct Drive {
  double speed, other;  // at one instant; `other` is the motion across, as a surface speed
};

Drive At(const FrictionRun& run, Index i, double fraction) {
  const auto across = [&](Index k) {
    const double v = run.average_speed[k], u = run.speed[k];
    return run.mixed ? std::sqrt(std::max(0.0, v * v - u * u)) : 0.0;
  };
  const Index j = std::min(i + 1, run.speed.size() - 1);
  return {(1.0 - fraction) * run.speed[i] + fraction * run.speed[j],
          (1.0 - fraction) * across(i) + fraction * across(j)};
}

// Force and rates of the bristles under a unit load. A torque over the gyration radius obeys the
// same equations in the surface speed.
FrictionForce Force(const BristleFriction& law, const Drive& drive, bool mixed,
                    const Eigen::Vector2d& state) {
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

Eigen::Vector2d Rate(const BristleFriction& law, const FrictionRun& run, Index i, double fraction,
                     const Eigen::Vector2d& state) {
  const FrictionForce force = Force(law, At(run, i, fraction), run.mixed, state);
  return {force.deflection_rate_W.x(), force.dwell_rate};
}

// From sample i to the next by Runge-Kutta steps that resolve the bristles' time constants.
Eigen::Vector2d Advance(const BristleFriction& law, const FrictionRun& run, Index i,
                        Eigen::Vector2d state) {
  constexpr double kMostSteps = 100.0;
  const double interval = run.time[i + 1] - run.time[i];
  double constant = law.sigma1 / law.sigma0;
  if (law.tau_dwell > 0.0) constant = std::min(constant, law.tau_dwell);
  const int steps =
      static_cast<int>(std::clamp(std::ceil(2.0 * interval / constant), 1.0, kMostSteps));
  const double h = interval / steps, df = 1.0 / steps;
  for (int k = 0; k < steps; ++k) {
    const double f = k * df;
    const Eigen::Vector2d a = Rate(law, run, i, f, state);
    const Eigen::Vector2d b = Rate(law, run, i, f + 0.5 * df, state + 0.5 * h * a);
    const Eigen::Vector2d c = Rate(law, run, i, f + 0.5 * df, state + 0.5 * h * b);
    const Eigen::Vector2d d = Rate(law, run, i, f + df, state + h * c);
    state += h / 6.0 * (a + 2.0 * (b + c) + d);
  }
  return state;
}

}  // namespace

VectorXd SimulateCoefficient(const FrictionRun& run, const BristleFriction& law) {
  const Index n = run.speed.size();
  VectorXd coefficient(n);
  const double ratio = run.average_speed[0] / law.v_stribeck;
  Eigen::Vector2d state(0.0, std::exp(-ratio * ratio));
  for (Index i = 0; i < n; ++i) {
    coefficient[i] = -Force(law, At(run, i, 0.0), run.mixed, state).force_W.x();
    if (i + 1 < n) state = Advance(law, run, i, state);
  }
  return coefficient;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
