#include "volcontact/forces/normal_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "forces/require.h"

namespace volcontact {
namespace {

void RequireStiffness(const char* name, double value) {
  if (value > 0.0) return;  // also infinite; not a number fails
  throw InvalidInput(
      fmt::format("{} is {} N/m^3; it must be positive, infinite for a rigid body", name, value));
}

double Prepare(const RestitutionDamping& damping) {
  RequirePositive("v_small", damping.v_small, "m/s");
  return DampingAtImpact(damping.law, damping.restitution);
}

// Checks a law; returns a v_n^i.
struct Preparation {
  double operator()(const VolumetricNormal& p) const {
    RequireStiffness("stiffness_a", p.stiffness_a);
    RequireStiffness("stiffness_b", p.stiffness_b);
    if (std::isinf(p.stiffness_a) && std::isinf(p.stiffness_b)) {
      throw InvalidInput("stiffness_a and stiffness_b are both infinite; one must be finite");
    }
    return Prepare(p.damping);
  }
  double operator()(const PowerNormal& p) const {
    RequirePositive("stiffness", p.stiffness, "N/m^p");
    RequirePositive("exponent", p.exponent, "");
    return Prepare(p.damping);
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

NormalForce Hysteretic(double elastic, double factor, double normal_speed) {
  return {elastic * std::max(0.0, 1.0 + factor * normal_speed), elastic, factor};
}

}  // namespace

double VolumetricNormal::Stiffness() const { return 1.0 / (1.0 / stiffness_a + 1.0 / stiffness_b); }

NormalForceModel::NormalForceModel(const NormalLaw& law)
    : law_(law), damping_at_impact_(std::visit(Preparation{}, law)) {}

NormalForce NormalForceModel::Evaluate(double compression, double normal_speed,
                                       double impact_speed) const {
  if (!(compression > 0.0)) return {};
  if (const auto* p = std::get_if<VolumetricNormal>(&law_)) {
    const double a = DampingFactor(damping_at_impact_, impact_speed, p->damping.v_small);
    return Hysteretic(p->Stiffness() * compression, a, normal_speed);
  }
  if (const auto* p = std::get_if<PowerNormal>(&law_)) {
    const double a = DampingFactor(damping_at_impact_, impact_speed, p->damping.v_small);
    return Hysteretic(p->stiffness * std::pow(compression, p->exponent), a, normal_speed);
  }
  double elastic, damping;
  if (const auto* p = std::get_if<AzadFeatherstoneNormal>(&law_)) {
    const double root = std::sqrt(compression);
    elastic = p->stiffness * root * compression;
    damping = p->damping * root;
  } else {
    const auto& linear = std::get<LinearNormal>(law_);
    elastic = linear.stiffness * compression;
    damping = linear.damping;
  }
  // The compression grows at the rate −v_n.
  return {std::max(0.0, elastic - damping * normal_speed), elastic, 0.0};
}

}  // namespace volcontact
