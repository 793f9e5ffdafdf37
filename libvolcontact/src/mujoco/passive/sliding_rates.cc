#include "mujoco/passive/sliding_rates.h"

#include <variant>

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

// Of SmoothDirection, over 1/v_epsilon.
constexpr double kSteepestSlope = 1.5;

}  // namespace

SlidingRates RatesOf(const FrictionLaw& law, double step) {
  if (const auto* p = std::get_if<BristleFriction>(&law)) {
    return {p->sigma1 + p->sigma2 + 0.5 * step * p->sigma0, p->mu_s, p->v_stribeck, true,
            step * p->sigma0 > p->sigma1};
  }
  if (const auto* c = std::get_if<CoulombFriction>(&law)) {
    return {kSteepestSlope * c->mu / c->v_epsilon, c->mu, c->v_epsilon, false, false};
  }
  if (const auto* q = std::get_if<PatchCoulombFriction>(&law)) {
    return {kSteepestSlope * q->mu / q->v_epsilon, q->mu, q->v_epsilon, true, false};
  }
  return {};
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
