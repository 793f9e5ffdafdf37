#include "volcontact/forces/friction.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "forces/bristle_motion.h"
#include "forces/require.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;

// v_epsilon at most, as a part of v_stribeck.
constexpr double kGreatestEpsilon = 0.1;

struct Validation {
  void operator()(const NoFriction&) const {}
  void operator()(const CoulombFriction& p) const {
    RequireNotNegative("mu", p.mu, "");
    RequirePositive("v_epsilon", p.v_epsilon, "m/s");
  }
  void operator()(const PatchCoulombFriction& p) const {
    RequireNotNegative("mu", p.mu, "");
    RequirePositive("v_epsilon", p.v_epsilon, "m/s");
  }
  void operator()(const BristleFriction& p) const {
    RequireNotNegative("mu_c", p.mu_c, "");
    RequireNotNegative("mu_s", p.mu_s, "");
    if (p.mu_s < p.mu_c) {
      throw InvalidInput(
          fmt::format("mu_s is {}; it must not be less than mu_c, which is {}", p.mu_s, p.mu_c));
    }
    RequirePositive("sigma0", p.sigma0, "1/m");
    RequirePositive("sigma1", p.sigma1, "s/m");
    RequireNotNegative("sigma2", p.sigma2, "s/m");
    RequirePositive("v_stribeck", p.v_stribeck, "m/s");
    RequireNotNegative("tau_dwell", p.tau_dwell, "s");
    RequireNotNegative("v_epsilon", p.v_epsilon, "m/s");
    if (p.v_epsilon > kGreatestEpsilon * p.v_stribeck) {
      throw InvalidInput(fmt::format(
          "v_epsilon is {} m/s; it must not exceed a tenth of v_stribeck, which is {} m/s",
          p.v_epsilon, p.v_stribeck));
    }
  }
  void operator()(const ClutchFriction& p) const {
    RequireNotNegative("mu", p.mu, "");
    RequirePositive("stiffness", p.stiffness, "N/m^1.5");
    RequirePositive("damping", p.damping, "N s/m^1.5");
    RequireNotNegative("viscosity", p.viscosity, "N s/m");
  }
};

// A bristle's power is what its spring stores and what it dissipates. While a bristle is drawn
// slowly towards its sliding deflection its spring may gain more than the motion gives it: then the
// spring is credited with no more than that.
void SplitPower(double total, double spring, double* elastic, double* dissipated) {
  *elastic = std::min(spring, total);
  *dissipated = total - *elastic;
}

FrictionForce Evaluate(const NoFriction&, const FrictionInput&, const FrictionState&) { return {}; }

FrictionForce Evaluate(const CoulombFriction& p, const FrictionInput& in, const FrictionState&) {
  FrictionForce result;
  result.force_W = -p.mu * in.normal_force * SmoothDirection(in.velocity_W, p.v_epsilon);
  result.dissipated_power = -result.force_W.dot(in.velocity_W);
  return result;
}

FrictionForce Evaluate(const BristleFriction& p, const FrictionInput& in,
                       const FrictionState& state) {
  const BristleMotion motion(p, in);
  const Vector3d &v = in.velocity_W, &z = state.deflection_W;
  const Vector3d load = motion.Load(state);
  FrictionForce result;
  result.dwell_rate = motion.DwellRate(state);
  result.deflection_rate_W = motion.DeflectionRate(load, state);
  result.force_W = -in.normal_force * (load + p.sigma2 * v);
  SplitPower(in.normal_force * load.dot(v),
             in.normal_force * p.sigma0 * z.dot(result.deflection_rate_W), &result.elastic_power,
             &result.dissipated_power);
  result.viscous_power = in.normal_force * p.sigma2 * v.squaredNorm();
  if (!(in.gyration_radius > 0.0)) return result;
  const double w = in.spin, spin_load = motion.SpinLoad(state);
  const double scale = in.gyration_radius * in.gyration_radius * in.normal_force;
  result.twist_rate = motion.TwistRate(spin_load, state);
  result.torque = -scale * (spin_load + p.sigma2 * w);
  SplitPower(scale * spin_load * w, scale * p.sigma0 * state.twist * result.twist_rate,
             &result.spin_elastic_power, &result.spin_dissipated_power);
  result.viscous_power += scale * p.sigma2 * w * w;
  return result;
}

FrictionForce Evaluate(const ClutchFriction& p, const FrictionInput& in,
                       const FrictionState& state) {
  FrictionForce result;
  const double root = std::sqrt(std::max(0.0, in.depth));
  const Vector3d &v = in.velocity_W, &u = state.deflection_W;
  const Vector3d stick = -root * (p.stiffness * u + p.damping * v);
  const double limit = p.mu * in.normal_force;
  result.force_W = stick;
  result.deflection_rate_W = v;
  if (stick.norm() > limit) {
    // The clutch slips at v − u̇; spring and damper carry what it lets through.
    const Vector3d clutch = stick * (limit / stick.norm());
    const Vector3d slip = (clutch - stick) / (root * p.damping + p.viscosity);
    result.deflection_rate_W = v - slip;
    result.force_W = clutch - p.viscosity * slip;
    result.clutch_power = -result.force_W.dot(slip);
  }
  const Vector3d& rate = result.deflection_rate_W;
  result.elastic_power = root * p.stiffness * u.dot(rate);
  result.dissipated_power = root * p.damping * rate.squaredNorm();
  return result;
}

FrictionForce Evaluate(const PatchCoulombFriction& p, const FrictionInput& in,
                       const FrictionState&) {
  if (in.pressure == nullptr || in.pressure->empty()) {
    throw InvalidInput(
        "patch Coulomb friction needs the pressure of the contact; see PressureOf and "
        "SampleVolume");
  }
  FrictionForce result;
  for (const PressureSample& sample : *in.pressure) {
    const Vector3d arm = in.normal_W.cross(sample.offset_W);  // n × ρ_t
    const Vector3d velocity = in.velocity_W + in.spin * arm;
    const Vector3d force =
        -p.mu * in.normal_force * sample.share * SmoothDirection(velocity, p.v_epsilon);
    result.force_W += force;
    result.torque += arm.dot(force);
    result.dissipated_power -= force.dot(velocity);
  }
  return result;
}

}  // namespace

std::vector<PressureSample> PressureOf(const std::vector<VolumeSample>& samples,
                                       const ContactGeometry& geometry) {
  std::vector<PressureSample> pressure;
  pressure.reserve(samples.size());
  double volume = 0.0;
  for (const VolumeSample& sample : samples) volume += sample.volume;
  const Vector3d& n = geometry.normal_W;
  for (const VolumeSample& sample : samples) {
    const Vector3d r = sample.point_W - geometry.point_W;
    pressure.push_back({r - n * n.dot(r), sample.volume / volume});
  }
  return pressure;
}

Vector3d SmoothDirection(const Vector3d& u, double u_epsilon) {
  const double length = u.norm();
  if (length >= u_epsilon) return u / length;
  const double r = length / u_epsilon;
  return u * ((1.5 - 0.5 * r * r) / u_epsilon);
}

void Validate(const FrictionLaw& law) { std::visit(Validation{}, law); }

FrictionForce EvaluateFriction(const FrictionLaw& law, const FrictionInput& input,
                               const FrictionState& state) {
  return std::visit([&](const auto& p) { return Evaluate(p, input, state); }, law);
}

VOLCONTACT_NAMESPACE_END
