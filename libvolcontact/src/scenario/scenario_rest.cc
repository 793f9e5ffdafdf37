// Bodies that begin at rest in a contact: lowered onto it until it carries their weight.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/resting_body.h"
#include "scenario/scenario_parts.h"
#include "volcontact/forces/stiffness_estimates.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// The depths between which the rest is looked for, as parts of the body's size.
constexpr double kShallowestRest = 1e-8, kDeepestRest = 0.5;
// Relative, of the force at rest: what is left moves the body by less than that of the depth.
constexpr double kForceTolerance = 1e-6;
constexpr int kMostHalvings = 200;

// The logarithm of the normal force over the part of the weight that it is to carry.
double ExcessAt(const Lowering& lowering, double stiffness, double weight, double depth) {
  return std::log(stiffness * lowering.At(depth).volume / (weight * lowering.NormalShare(depth)));
}

double DepthAtRest(const JsonCursor& input, const Lowering& lowering, const RestingBody& resting,
                   double stiffness, double weight) {
  double low = kShallowestRest * resting.size, high = low;
  while (!(ExcessAt(lowering, stiffness, weight, high) > 0.0)) {
    low = high;
    high *= 10.0;
    if (high > 10.0 * kDeepestRest * resting.size) {
      input.Fail(fmt::format("\"{}\" sinks through the contact; give a greater stiffness",
                             resting.body->name));
    }
  }
  for (int i = 0; i < kMostHalvings; ++i) {
    const double depth = std::sqrt(low * high);
    const double excess = ExcessAt(lowering, stiffness, weight, depth);
    if (std::abs(excess) < kForceTolerance) return depth;
    (excess > 0.0 ? high : low) = depth;
  }
  return std::sqrt(low * high);
}

}  // namespace

void BeginAtRest(const JsonCursor& input, Scenario* read, ContactSpec* contact) {
  const auto* normal = std::get_if<VolumetricNormal>(&contact->parameters.normal);
  if (normal == nullptr || !(read->gravity.norm() > 0.0)) {
    input.Fail("\"at_rest\" needs \"gravity\" and the volumetric law");
  }
  const RestingBody resting = RestingOf(input, *contact, *read);
  if (!resting.IsPlaced()) {
    input.Fail("\"at_rest\" needs bodies without joints (\"free\", \"translation\" or fixed)");
  }
  Lowering lowering = LoweringOf(resting, read->gravity);
  if (!lowering.FindTouch()) {
    input.Fail(fmt::format("\"{}\" does not meet \"{}\" along gravity from its start",
                           resting.body->name, resting.other->name));
  }
  const double stiffness = SeriesStiffness(normal->stiffness_a, normal->stiffness_b);
  const double weight = resting.body->mass * read->gravity.norm();
  const double depth = DepthAtRest(input, lowering, resting, stiffness, weight);
  read->bodies[static_cast<std::size_t>(resting.index)].pose = lowering.PoseAt(depth);
  if (!contact->state) contact->state = FrictionState();
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
