#include "volcontact/scenario/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "volcontact/contact/cells.h"
#include "volcontact/contact/contact_geometry.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// An overlap of more than this share of the smaller body is not the depth of a contact.
constexpr double kInside = 0.25;
// A bound on explicit steps is felt where they are this many times as many as outputs, and a fixed
// step is too long beyond this share of the shortest period.
constexpr double kManySteps = 200.0, kLongStep = 0.3;
// Volumes need no more here.
constexpr double kLoose = 1e-3;

const BodySpec* BodyAt(const Scenario& scenario, int index) {
  return index < 0 ? nullptr : &scenario.bodies[static_cast<std::size_t>(index)];
}

// Where a body is at the start; nothing where that follows from joints.
std::optional<Pose> StartOf(const BodySpec& body) {
  const bool by_pose =
      body.fixed || body.joint == JointType::kFree || body.joint == JointType::kTranslation;
  if (!by_pose) return std::nullopt;
  return body.pose;
}

double VolumeOf(const Solid& solid) {
  if (!solid.Bounds().IsBounded()) return std::numeric_limits<double>::infinity();
  return ComputeMassProperties(solid, {.tolerance = kLoose}).volume;
}

// The mass that moves in a contact [kg].
double MovingMass(const Scenario& scenario, const ContactSpec& contact) {
  double inverse = 0.0;
  for (const int index : {contact.a, contact.b}) {
    const BodySpec* body = BodyAt(scenario, index);
    if (body != nullptr && !body->fixed && body->mass > 0.0) inverse += 1.0 / body->mass;
  }
  return inverse > 0.0 ? 1.0 / inverse : 0.0;
}

// The overlap of a volumetric contact at the start, where it is known.
std::optional<Metrics> OverlapAtStart(const Scenario& scenario, const ContactSpec& contact) {
  const BodySpec *a = BodyAt(scenario, contact.a), *b = BodyAt(scenario, contact.b);
  if (contact.point_pair || a == nullptr || b == nullptr || !a->solid || !b->solid) {
    return std::nullopt;
  }
  const std::optional<Pose> X_WA = StartOf(*a), X_WB = StartOf(*b);
  if (!X_WA || !X_WB) return std::nullopt;
  QueryOptions options;
  options.tolerance = kLoose;
  options.bound_distance = false;
  Metrics metrics = PreparedPair(*a->solid, *b->solid).Query(*X_WA, *X_WB, options);
  if (!metrics.overlap) return std::nullopt;
  return metrics;
}

void AdviseOnStart(const Scenario& scenario, const ContactSpec& contact, const Metrics& metrics,
                   std::vector<std::string>* advice) {
  const BodySpec &a = *BodyAt(scenario, contact.a), &b = *BodyAt(scenario, contact.b);
  const double smaller = std::min(VolumeOf(*a.solid), VolumeOf(*b.solid));
  if (!(metrics.volume > kInside * smaller)) return;
  advice->push_back(fmt::format(
      "contact \"{}\": {} starts inside {}, with {:.0f} % of the smaller one's volume: {}; check "
      "their poses",
      contact.name, a.name, b.name, 100.0 * metrics.volume / smaller,
      metrics.area_normal_W.isZero() ? "no direction to push is known, so there is no force"
                                     : "the contact will throw them apart"));
}

// The shortest period of a contact that is known before it runs, and the step that it allows.
StepEstimate TimeScaleOf(const Scenario& scenario, const ContactSpec& contact,
                         const std::optional<Metrics>& metrics) {
  const ContactModel model(contact.parameters);
  const double mass = MovingMass(scenario, contact);
  const ContactGeometry geometry =
      metrics ? GeometryOf(*metrics, contact.parameters.direction) : ContactGeometry();
  return model.TimeScales(geometry, mass, mass * scenario.gravity.norm());
}

void AdviseOnIntegrator(const IntegratorSpec& integrator, double end_time, double output_interval,
                        const std::string& name, const StepEstimate& scale,
                        std::vector<std::string>* advice) {
  const double shortest = 20.0 * scale.step;
  if (!std::isfinite(shortest)) return;
  if (!integrator.has_error_control() && integrator.step > kLongStep * shortest) {
    advice->push_back(fmt::format(
        "contact \"{}\": its shortest period is {:.2g} s, and the step {:.2g} s; take {:.1g} s, or "
        "the integrator \"stiff\"",
        name, shortest, integrator.step, scale.step));
  }
  const double interval = std::min(output_interval, end_time);
  if (integrator.method == IntegratorMethod::kAdaptive && interval > kManySteps * shortest) {
    advice->push_back(
        fmt::format("contact \"{}\": its shortest period is {:.2g} s, which limits the steps of "
                    "\"adaptive\"; the integrator \"stiff\" may be faster",
                    name, shortest));
  }
}

void AdviseOnCells(const Scenario& scenario, const ContactSpec& contact,
                   std::vector<std::string>* advice) {
  if (contact.cells || contact.most_patches > 0 || contact.point_pair) return;
  for (const int index : {contact.a, contact.b}) {
    const BodySpec* body = BodyAt(scenario, index);
    if (body == nullptr || !body->solid) continue;
    const std::size_t cells = DisjointCells(*body->solid).size();
    if (cells < 2) continue;
    advice->push_back(fmt::format(
        "contact \"{}\": {} is a union of {} parts. If each of them touches in one place "
        "only, \"geometry\": {{\"cells\": true}} is correct and faster: each part is a "
        "contact of its own. If one may touch in two places, like a peg in a hole, use "
        "\"per_patch\" or \"division\"",
        contact.name, body->name, cells));
  }
}

}  // namespace

std::vector<std::string> AdviceOf(const Scenario& scenario) {
  std::vector<std::string> advice;
  for (const ContactSpec& contact : scenario.contacts) {
    const std::optional<Metrics> metrics = OverlapAtStart(scenario, contact);
    if (metrics) AdviseOnStart(scenario, contact, *metrics, &advice);
    AdviseOnIntegrator(scenario.integrator, scenario.end_time, scenario.output_interval,
                       contact.name, TimeScaleOf(scenario, contact, metrics), &advice);
    AdviseOnCells(scenario, contact, &advice);
  }
  return advice;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
