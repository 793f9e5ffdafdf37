#include "volcontact/forces/friction_estimates.h"

#include <algorithm>
#include <cmath>

#include "forces/require.h"

VOLCONTACT_NAMESPACE_BEGIN

double BristleStiffness(double mu_s, double pre_sliding) {
  RequirePositive("mu_s", mu_s, "(no unit)");
  RequirePositive("pre_sliding", pre_sliding, "m");
  return mu_s / pre_sliding;
}

double BristleStiffnessFromFrequency(double frequency, double load_per_mass) {
  RequirePositive("frequency", frequency, "rad/s");
  RequirePositive("load_per_mass", load_per_mass, "m/s^2");
  return frequency * frequency / load_per_mass;
}

double BristleFrequency(double sigma0, double load_per_mass) {
  RequirePositive("sigma0", sigma0, "1/m");
  RequirePositive("load_per_mass", load_per_mass, "m/s^2");
  return std::sqrt(sigma0 * load_per_mass);
}

double BristleDamping(double sigma0, double load_per_mass, double damping_ratio) {
  RequirePositive("sigma0", sigma0, "1/m");
  RequirePositive("load_per_mass", load_per_mass, "m/s^2");
  RequirePositive("damping_ratio", damping_ratio, "(no unit)");
  return 2.0 * damping_ratio * std::sqrt(sigma0 / load_per_mass);
}

FrictionEstimate EstimateFriction(const FrictionKnowns& known) {
  RequirePositive("v_stribeck", known.v_stribeck, "m/s");
  FrictionEstimate result;
  result.sigma0 = BristleStiffness(known.mu_s, known.pre_sliding);
  result.sigma1 = BristleDamping(result.sigma0, known.load_per_mass, known.damping_ratio);
  result.bristle_frequency = BristleFrequency(result.sigma0, known.load_per_mass);
  result.bristle_time_constant = result.sigma1 / result.sigma0;
  result.tau_dwell = 10.0 * result.bristle_time_constant;
  result.v_epsilon = known.v_stribeck / 100.0;
  return result;
}

double SmallImpactSpeed(double impact_speed) {
  RequirePositive("impact_speed", impact_speed, "m/s");
  return std::min(1e-3, impact_speed / 100.0);
}

VOLCONTACT_NAMESPACE_END
