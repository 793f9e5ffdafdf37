#include "volcontact/forces/friction_estimates.h"

#include <algorithm>
#include <cmath>

#include "forces/require.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Gonthier (2007), Section 3.3.2: stiction grows slower than bristles settle by this factor, and
// the direction of sliding is resolved down to this part of the Stribeck velocity.
constexpr double kDwellPerTimeConstant = 10.0, kStribeckPerEpsilon = 100.0;
// The speed of impact below which damping is no more raised [m/s], and at most this part of a
// typical one.
constexpr double kSmallSpeed = 1e-3, kImpactPerSmall = 100.0;

// What the rules for bristles have in common.
void RequireBristle(double sigma0, double load_per_mass) {
  RequirePositive("sigma0", sigma0, "1/m");
  RequirePositive("load_per_mass", load_per_mass, "m/s^2");
}

}  // namespace

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
  RequireBristle(sigma0, load_per_mass);
  return std::sqrt(sigma0 * load_per_mass);
}

double BristleDamping(double sigma0, double load_per_mass, double damping_ratio) {
  RequireBristle(sigma0, load_per_mass);
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
  result.tau_dwell = kDwellPerTimeConstant * result.bristle_time_constant;
  result.v_epsilon = known.v_stribeck / kStribeckPerEpsilon;
  return result;
}

double SmallImpactSpeed(double impact_speed) {
  RequirePositive("impact_speed", impact_speed, "m/s");
  return std::min(kSmallSpeed, impact_speed / kImpactPerSmall);
}

VOLCONTACT_NAMESPACE_END
