#include "volcontact/forces/contact_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "forces/require.h"
#include "volcontact/forces/damping.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using std::numbers::pi;

// Profiles sharper than c r^1e6 are flat in doubles.
constexpr double kFlat = 1e6;
// Relative to the depth at rest: below the errors of measurements, above those of queries.
constexpr double kDepthTolerance = 1e-7;
// The depth is looked for from a millionth of max_depth on, and not below the size of nuclei [m].
constexpr double kFirst = 1e-6, kShallowest = 1e-15;
// Secants may run along one end of the bracket: they cut off a fiftieth of it at the least.
constexpr double kLeastShare = 0.02;
constexpr int kMostSteps = 60;
constexpr double kUnknownImpact = 1e-3;  // v_small [m/s] without one: SmallImpactSpeed's most

double ExponentOf(double depth, const Indentation& at) { return depth * at.area / at.volume; }

// m of c r^m.
double ShapeOf(double depth, const Indentation& at) {
  const double n = ExponentOf(depth, at);
  return n > 1.0 + 2.0 / kFlat ? 2.0 / (n - 1.0) : kFlat;
}

// Sneddon's force over E* [m²].
double ForceOverModulus(double depth, const Indentation& at) {
  const double m = ShapeOf(depth, at);
  const double section = std::sqrt(at.area / pi);
  const double log_ratio =
      (0.5 * std::log(pi) + std::lgamma(0.5 * m + 1.0) - std::lgamma(0.5 * m + 0.5)) / m;
  return 2.0 * m / (m + 1.0) * section * std::exp(-log_ratio) * depth;
}

Indentation Checked(const Indentation& at, double depth) {
  if (at.volume > 0.0 && at.area > 0.0 && std::isfinite(at.volume) && std::isfinite(at.area)) {
    return at;
  }
  throw InvalidInput(
      fmt::format("at a depth of {} m the bodies overlap by {} m^3 over {} m^2; the depth at rest "
                  "must lie within them",
                  depth, at.volume, at.area));
}

// The logarithm of the elastic force over the load.
class Excess {
 public:
  Excess(const ContactKnowns& known, const IndentationLaw& indentation)
      : known_(known), indentation_(indentation) {}

  double operator()(double depth) const {
    const Indentation at = Checked(indentation_(depth), depth);
    return std::log(known_.effective_modulus * ForceOverModulus(depth, at) / known_.force);
  }

 private:
  const ContactKnowns& known_;
  const IndentationLaw& indentation_;
};

struct DepthBracket {
  double low, high;     // [m]
  double below, above;  // the excesses there, of both signs
};

// By factors of ten, up from shallow depths: deep ones may lie beyond the body.
DepthBracket BracketDepth(const ContactKnowns& known, const Excess& excess) {
  double depth = kFirst * std::min(known.max_depth, 1.0), now = excess(depth);
  while (now > 0.0 && depth > kShallowest) {
    const double shallower = 0.1 * depth, then = excess(shallower);
    if (then <= 0.0) return {shallower, depth, then, now};
    depth = shallower;
    now = then;
  }
  while (now <= 0.0 && depth < known.max_depth) {
    const double deeper = std::min(10.0 * depth, known.max_depth), then = excess(deeper);
    if (then > 0.0) return {depth, deeper, now, then};
    depth = deeper;
    now = then;
  }
  throw InvalidInput(
      now > 0.0
          ? fmt::format(
                "the load of {} N gives almost no depth; take a greater load or a softer material",
                known.force)
          : fmt::format("the load of {} N presses the body deeper than {} m; take a smaller load "
                        "or a stiffer material",
                        known.force, known.max_depth));
}

// The depth at which elastic bodies carry the force: by secants of its logarithm over that of the
// depth, of which it is nearly a linear function.
double ElasticDepth(const ContactKnowns& known, const IndentationLaw& indentation) {
  const Excess excess(known, indentation);
  DepthBracket at = BracketDepth(known, excess);
  for (int i = 0; i < kMostSteps && at.high > at.low * (1.0 + kDepthTolerance); ++i) {
    const double share =
        std::clamp(-at.below / (at.above - at.below), kLeastShare, 1.0 - kLeastShare);
    const double depth = at.low * std::pow(at.high / at.low, share), now = excess(depth);
    if (std::abs(now) < kDepthTolerance) return depth;
    (now > 0.0 ? at.high : at.low) = depth;
    (now > 0.0 ? at.above : at.below) = now;
  }
  return std::sqrt(at.low * at.high);
}

void CheckKnowns(const ContactKnowns& known) {
  RequirePositive("force", known.force, "N");
  RequirePositive("mass", known.mass, "kg");
  RequirePositiveOrInfinite("effective_modulus", known.effective_modulus, "Pa");
  RequireNotNegative("impact_speed", known.impact_speed, "m/s");
  RequireNotNegative("mu_s", known.mu_s, "");
  if (known.depth) {
    RequirePositive("depth", *known.depth, "m");
    if (*known.depth > known.max_depth) {
      throw InvalidInput(
          fmt::format("depth is {} m; the body ends at {} m", *known.depth, known.max_depth));
    }
  } else if (std::isinf(known.effective_modulus)) {
    throw InvalidInput("depth is missing: without materials the depth at rest must be given");
  }
}

// How deep an impact goes, and what the contact is like at the greatest depth.
void AddDynamics(const ContactKnowns& known, ContactEstimate* result) {
  const double n = ExponentOf(result->depth, result->rest);
  const double x = result->depth, k = result->stiffness, speed = known.impact_speed;
  // m v²/2 = ∫ k V dx = k V(x) x/(n + 1).
  const double energy_at_rest = k * result->rest.volume * x / (n + 1.0);
  const double deeper =
      std::pow(0.5 * known.mass * speed * speed / energy_at_rest, 1.0 / (n + 1.0));
  const double growth = std::max(1.0, deeper);
  result->greatest_depth = x * growth;
  result->greatest_force = known.force * std::pow(growth, n);
  StepKnowns step;
  step.mass = known.mass;
  step.normal_stiffness = k * result->rest.area * std::pow(growth, n - 1.0);
  step.normal_force = result->greatest_force;
  if (result->friction) {
    step.sigma0 = result->friction->sigma0;
    step.sigma1 = result->friction->sigma1;
  }
  result->step = SuggestStep(step);
}

}  // namespace

double ElasticStiffness(double effective_modulus, double depth, const Indentation& at) {
  RequirePositive("effective_modulus", effective_modulus, "Pa");
  RequirePositive("depth", depth, "m");
  return effective_modulus * ForceOverModulus(depth, Checked(at, depth)) / at.volume;
}

IndentationLaw IndentationOfBalls(double size_a, double size_b) {
  const double to_radius = std::cbrt(3.0 / (4.0 * pi));
  const double radius = EffectiveRadius(to_radius * size_a, to_radius * size_b);
  return [radius](double depth) {
    return Indentation{pi * radius * depth * depth, 2.0 * pi * radius * depth};
  };
}

ContactEstimate EstimateContact(const ContactKnowns& known, const IndentationLaw& indentation) {
  CheckKnowns(known);
  ContactEstimate result;
  result.depth = known.depth ? *known.depth : ElasticDepth(known, indentation);
  result.rest = Checked(indentation(result.depth), result.depth);
  result.stiffness = known.force / result.rest.volume;
  result.elastic_stiffness =
      std::isinf(known.effective_modulus)
          ? known.effective_modulus
          : ElasticStiffness(known.effective_modulus, result.depth, result.rest);
  result.damping_at_impact = DampingAtImpact(RestitutionLaw::kExact, known.restitution);
  result.v_small = known.impact_speed > 0.0 ? SmallImpactSpeed(known.impact_speed) : kUnknownImpact;
  if (known.mu_s > 0.0) {
    FrictionKnowns friction;
    friction.mu_s = known.mu_s;
    friction.pre_sliding = known.pre_sliding;
    friction.load_per_mass = known.force / known.mass;
    result.friction = EstimateFriction(friction);
  }
  AddDynamics(known, &result);
  return result;
}

VOLCONTACT_NAMESPACE_END
