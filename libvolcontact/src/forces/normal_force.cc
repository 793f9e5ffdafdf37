#include "volcontact/forces/normal_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "forces/require.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// a v_n^i, or λ/k where λ is given.
double Prepare(const RestitutionDamping& damping, double stiffness) {
  if (damping.hysteresis) {
    RequireNotNegative("hysteresis", *damping.hysteresis, "");
    return *damping.hysteresis / stiffness;
  }
  RequirePositive("v_small", damping.v_small, "m/s");
  const double at_impact = DampingAtImpact(damping.law, damping.restitution);
  if (!std::isfinite(at_impact / damping.v_small)) {
    throw InvalidInput(
        fmt::format("restitution {} with v_small {} m/s gives infinite damping; raise either",
                    damping.restitution, damping.v_small));
  }
  return at_impact;
}

// Checks a law; returns a v_n^i.
struct Preparation {
  double operator()(const VolumetricNormal& p) const {
    RequirePositiveOrInfinite("stiffness_a", p.stiffness_a, "N/m^3");
    RequirePositiveOrInfinite("stiffness_b", p.stiffness_b, "N/m^3");
    if (std::isinf(p.stiffness_a) && std::isinf(p.stiffness_b)) {
      throw InvalidInput("stiffness_a and stiffness_b are both infinite; one must be finite");
    }
    return Prepare(p.damping, p.Stiffness());
  }
  double operator()(const PowerNormal& p) const {
    RequirePositive("stiffness", p.stiffness, "N/m^p");
    RequirePositive("exponent", p.exponent, "");
    return Prepare(p.damping, p.stiffness);
  }
  double operator()(const AzadFeatherstoneNormal& p) const {
    RequirePositive("stiffness", p.stiffness, "N/m^1.5");
    RequireNotNegative("damping", p.damping, "N s/m^1.5");
    return 0.0;
  }
  double operator()(const LinearNormal& p) const {
    RequirePositive("stiffness", p.stiffness, "N/m");
    RequireNotNegative("damping", p.damping, "N s/m");
    return 0.0;
  }
};

// What laws read besides their parameters. Numbers that are not numbers go through to the force: a
// simulation that diverges shall not lose its floor in silence.
struct Approach {
  double compression, normal_speed, impact_speed, damping_at_impact;

  NormalForce Hysteretic(double elastic, const RestitutionDamping& damping) const {
    const double a = damping.hysteresis
                         ? -damping_at_impact
                         : DampingFactor(damping_at_impact, impact_speed, damping.v_small);
    return {elastic * std::max(1.0 + a * normal_speed, 0.0), elastic, a};
  }
  // The compression grows at the rate −v_n.
  NormalForce Viscous(double elastic, double damping) const {
    return {std::max(elastic - damping * normal_speed, 0.0), elastic, 0.0};
  }

  NormalForce operator()(const VolumetricNormal& p) const {
    return Hysteretic(p.Stiffness() * compression, p.damping);
  }
  NormalForce operator()(const PowerNormal& p) const {
    return Hysteretic(p.stiffness * std::pow(compression, p.exponent), p.damping);
  }
  NormalForce operator()(const AzadFeatherstoneNormal& p) const {
    const double root = std::sqrt(compression);
    return Viscous(p.stiffness * root * compression, p.damping * root);
  }
  NormalForce operator()(const LinearNormal& p) const {
    return Viscous(p.stiffness * compression, p.damping);
  }
};

}  // namespace

double VolumetricNormal::Stiffness() const { return 1.0 / (1.0 / stiffness_a + 1.0 / stiffness_b); }

NormalForceModel::NormalForceModel(const NormalLaw& law)
    : law_(law), damping_at_impact_(std::visit(Preparation{}, law)) {}

NormalForce NormalForceModel::Evaluate(double compression, double normal_speed,
                                       double impact_speed) const {
  if (compression <= 0.0) return {};
  return std::visit(Approach{compression, normal_speed, impact_speed, damping_at_impact_}, law_);
}

VOLCONTACT_NAMESPACE_END
