#include "mujoco/passive/step_limits.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <variant>

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using Eigen::Vector3d;

constexpr double kEndless = std::numeric_limits<double>::infinity();
// Runge and Kutta's method follows rates up to it over its step: 2.785 along the real axis, 2.83
// along the imaginary one, and more between.
constexpr double kRungeKuttaReach = 2.78;
// Of the steepest slope of SmoothDirection, over 1/v_epsilon.
constexpr double kSteepest = 1.5;

// A cause, and the longest step with which it does no harm [s].
struct Limit {
  double longest = kEndless;
  std::string cause, cure;
};

std::string Told(const Limit& limit, double step) {
  return fmt::format(
      "steps of {:.3g} s are too long for {}, which needs steps of at most {:.2g} s; the step uses "
      "the forces at its end, which damp the motion; take a timestep of {:.2g} s{}",
      step, limit.cause, limit.longest, 0.5 * limit.longest, limit.cure);
}

// The longest step of v' = −ω² x − γ v. Euler's method takes positions with the new velocity, and
// is stable up to h²ω²/4 + hγ/2 = 1.
double LongestStep(double omega_squared, double gamma, StepMethod method) {
  if (method == StepMethod::kEuler)
    return 4.0 / (gamma + std::hypot(gamma, 2.0 * std::sqrt(omega_squared)));
  const double turning = 0.25 * gamma * gamma - omega_squared;
  const double fastest =
      turning > 0.0 ? 0.5 * gamma + std::sqrt(turning) : std::sqrt(omega_squared);
  return kRungeKuttaReach / fastest;
}

using Directions = Vector3d (*)(const MujocoPatch& patch);

Vector3d Normal(const MujocoPatch& patch) { return patch.geometry.normal_W; }
Vector3d FirstTangent(const MujocoPatch& patch) { return patch.geometry.normal_W.unitOrthogonal(); }
Vector3d SecondTangent(const MujocoPatch& patch) {
  return patch.geometry.normal_W.cross(FirstTangent(patch));
}

// At least the greatest eigenvalue of what pushes of patches give each other, times the strengths
// of patches, and that itself where the patches are alike.
template <class StrengthOf>
double FastestRate(std::span<const StepPatch> patches,
                   const std::vector<Eigen::VectorXd>& responses, const StrengthOf& strength_of) {
  double fastest = 0.0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < patches.size(); ++j) {
      row += std::sqrt(strength_of(*patches[i].patch) * strength_of(*patches[j].patch)) *
             std::abs(responses[i].dot(responses[j]));
    }
    fastest = std::max(fastest, row);
  }
  return fastest;
}

std::vector<Eigen::VectorXd> Responses(std::span<const StepPatch> patches, Directions direction) {
  std::vector<Eigen::VectorXd> responses;
  for (const StepPatch& patch : patches) {
    responses.push_back(patch.response.columns.leftCols<3>() * direction(*patch.patch));
  }
  return responses;
}

// The loads of all patches over the mass that a push across them moves [m/s²].
double LoadPerMass(std::span<const StepPatch> patches) {
  const auto load = [](const MujocoPatch& patch) { return patch.force.normal_W.norm(); };
  double greatest = 0.0;
  for (const Directions direction : {FirstTangent, SecondTangent}) {
    greatest = std::max(greatest, FastestRate(patches, Responses(patches, direction), load));
  }
  return greatest;
}

const MujocoPatch& MostLoaded(std::span<const StepPatch> patches) {
  const auto is_less = [](const StepPatch& a, const StepPatch& b) {
    return a.patch->force.normal_W.squaredNorm() < b.patch->force.normal_W.squaredNorm();
  };
  return *std::max_element(patches.begin(), patches.end(), is_less)->patch;
}

// Where the bodies may be held: slow enough for friction to turn them around in a step.
bool MayStick(std::span<const StepPatch> patches, double slow, double change) {
  return MostLoaded(patches).motion.tangential_velocity_W.norm() <= std::max(slow, change);
}

// `load` is over the mass [m/s²].
Limit BristleLimit(const BristleFriction& p, double load, double step, StepMethod method) {
  const double gamma = p.sigma1 * load, omega_squared = p.sigma0 * load;
  // Bristles are bent by the mean speed of a step, which lets their spring gain: their damping must
  // make up for it.
  const bool is_euler = method == StepMethod::kEuler;
  const double damped = is_euler ? 2.0 / gamma : LongestStep(omega_squared, gamma, method);
  const double sprung = is_euler ? 2.0 * p.sigma1 / p.sigma0 : kEndless;
  const double turned = p.v_stribeck / (p.mu_c * load);
  if (!(step > std::min({damped, sprung, turned}))) return {};
  if (turned < std::min(damped, sprung)) {
    return {
        turned,
        fmt::format("friction of {:.3g} m/s² and v_stribeck {:.3g} m/s", p.mu_c * load,
                    p.v_stribeck),
        fmt::format(", or raise friction.v_stribeck to {:.2g} m/s", 2.0 * step * p.mu_c * load)};
  }
  if (damped <= sprung) {
    const double least = 1.0 / (step * load);  // of σ1, for half the limit
    return {damped, fmt::format("the damping of bristles, at a rate of {:.3g}/s", gamma),
            step * p.sigma0 <= least
                ? fmt::format(", or lower friction.sigma1 to {:.2g} s/m", least)
                : std::string()};
  }
  return {sprung, fmt::format("bristles of sigma1/sigma0 = {:.3g} s", p.sigma1 / p.sigma0),
          fmt::format(", or raise friction.sigma1 to {:.2g} s/m", step * p.sigma0)};
}

Limit CoulombLimit(double mu, double v_epsilon, double load, double step, StepMethod method) {
  const double gamma = kSteepest * mu * load / v_epsilon;
  const double longest = LongestStep(0.0, gamma, method);
  if (!(step > longest)) return {};
  return {longest,
          fmt::format("friction of {:.3g} m/s² and v_epsilon {:.3g} m/s", mu * load, v_epsilon),
          fmt::format(", or raise friction.v_epsilon to {:.2g} m/s", v_epsilon * step * gamma)};
}

bool HaveOneNormal(const VolumetricNormal& a, const VolumetricNormal& b) {
  const auto numbers = [](const VolumetricNormal& law) {
    const RestitutionDamping& d = law.damping;
    return std::tuple(law.stiffness_a, law.stiffness_b, d.restitution, d.law, d.v_small,
                      d.hysteresis);
  };
  return numbers(a) == numbers(b);
}

struct FrictionNumbers {
  using Numbers = std::vector<double>;
  Numbers operator()(const NoFriction&) const { return {}; }
  Numbers operator()(const CoulombFriction& p) const { return {p.mu, p.v_epsilon}; }
  Numbers operator()(const PatchCoulombFriction& p) const { return {p.mu, p.v_epsilon}; }
  Numbers operator()(const ClutchFriction& p) const {
    return {p.mu, p.stiffness, p.damping, p.viscosity};
  }
  Numbers operator()(const BristleFriction& p) const {
    return {p.mu_s, p.mu_c, p.sigma0, p.sigma1, p.sigma2, p.v_stribeck, p.tau_dwell, p.v_epsilon};
  }
};

}  // namespace

bool HaveOneLaw(const ContactParameters& a, const ContactParameters& b) {
  return a.friction.index() == b.friction.index() &&
         std::visit(FrictionNumbers(), a.friction) == std::visit(FrictionNumbers(), b.friction) &&
         HaveOneNormal(std::get<VolumetricNormal>(a.normal), std::get<VolumetricNormal>(b.normal));
}

std::string StepLimits::NormalFault(std::span<const StepPatch> patches, double step,
                                    StepMethod method) const {
  const auto& law = std::get<VolumetricNormal>(parameters_.normal);
  const std::vector<Eigen::VectorXd> responses = Responses(patches, Normal);
  const double omega_squared = FastestRate(patches, responses, [&](const MujocoPatch& patch) {
    return law.Stiffness() * patch.geometry.contact_area;
  });
  const double gamma = FastestRate(patches, responses, [&](const MujocoPatch& patch) {
    const double compression = std::max(patch.geometry.volume - patch.state.relaxation, 0.0);
    const NormalForce force =
        normal_.Evaluate(compression, patch.motion.normal_speed, patch.state.impact_speed);
    return -force.damping_factor * force.elastic;
  });
  Limit limit;
  limit.longest = LongestStep(omega_squared, gamma, method);
  if (!(step > limit.longest)) return {};
  limit.cause = fmt::format("the spring's {:.3g} rad/s and a damping rate of {:.3g}/s",
                            std::sqrt(omega_squared), gamma);
  // With a damping that takes half of the speed that it may.
  if (LongestStep(omega_squared, 1.0 / step, method) < step) {
    limit.cure = ", or a softer contact";
  } else if (law.damping.hysteresis.has_value()) {
    limit.cure = fmt::format(", or lower normal.damping by a factor of {:.2g}", step * gamma);
  } else {
    double speed = law.damping.v_small;  // with which damping is made
    for (const StepPatch& patch : patches) {
      speed = std::max(speed, patch.patch->state.impact_speed);
    }
    limit.cure = fmt::format(", or raise normal.v_small to {:.2g} m/s", speed * step * gamma);
  }
  return Told(limit, step);
}

std::string StepLimits::FrictionFault(std::span<const StepPatch> patches, double step,
                                      StepMethod method) const {
  const FrictionLaw& law = parameters_.friction;
  const auto* const bristles = std::get_if<BristleFriction>(&law);
  double mu = 0.0, slow = 0.0;
  if (bristles != nullptr) {
    mu = bristles->mu_c, slow = bristles->v_stribeck;
  } else if (const auto* coulomb = std::get_if<CoulombFriction>(&law)) {
    mu = coulomb->mu, slow = coulomb->v_epsilon;
  } else if (const auto* patch = std::get_if<PatchCoulombFriction>(&law)) {
    mu = patch->mu, slow = patch->v_epsilon;
  } else {
    return {};
  }
  const double load = LoadPerMass(patches);
  if (!MayStick(patches, slow, step * mu * load)) return {};
  const Limit limit = bristles != nullptr ? BristleLimit(*bristles, load, step, method)
                                          : CoulombLimit(mu, slow, load, step, method);
  if (!(step > limit.longest)) return {};
  return Told(limit, step);
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
