// The scenario of a document: what connects and drives the bodies, integrator and outputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "io/json/json_document.h"
#include "scenario/scenario_parts.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/scenario_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// Rows of a time series: what fits in memory.
constexpr double kMostOutputs = 1e7;

// Below, roundings of the state decide; above, no digit is right.
constexpr double kLeastTolerance = 1e-13, kGreatestTolerance = 0.1;

// Decimal fractions miss whole multiples of a step by up to this part of it.
constexpr double kStepSlack = 1e-6;

// The default tolerance of "adaptive" and "stiff", which are of higher order than "implicit".
constexpr double kHighOrderTolerance = 1e-9;
// The longest step of "implicit", of outputs.
constexpr double kImplicitIntervals = 10.0;

LoadSpec ReadLoad(const JsonCursor& input, const std::vector<BodySpec>& bodies) {
  input.ExpectObject({"body", "force", "torque", "point", "frame", "times", "scale", "note"});
  LoadSpec load;
  load.body = MovingBody(input.Member("body"), bodies);
  load.force = input.Numbers3("force", load.force);
  load.torque = input.Numbers3("torque", load.torque);
  load.point = input.Numbers3("point", load.point);
  load.in_body_frame = input.Choice("frame", {"world", "body"}, 0) == 1;
  if (input.Has("times") || input.Has("scale")) load.scale = ReadPiecewiseLinear(input, "scale");
  return load;
}

IntegratorSpec ReadIntegrator(const JsonCursor& input) {
  IntegratorSpec integrator;
  integrator.method = static_cast<IntegratorMethod>(
      input.Choice("method", {"adaptive", "stiff", "implicit", "rk4", "rk3", "euler"},
                   static_cast<int>(integrator.method)));
  if (!integrator.has_error_control()) {
    input.ExpectObject({"method", "step"});
    integrator.step = input.Member("step").PositiveNumber();
    return integrator;
  }
  const bool is_implicit = integrator.method == IntegratorMethod::kImplicit;
  if (is_implicit) {
    input.ExpectObject({"method", "tolerance", "max_step", "passive"});
    integrator.is_passive = input.Flag("passive", integrator.is_passive);
  } else {
    input.ExpectObject({"method", "tolerance", "max_step"});
    integrator.tolerance = kHighOrderTolerance;
  }
  integrator.tolerance = input.Number("tolerance", integrator.tolerance);
  if (!(integrator.tolerance >= kLeastTolerance && integrator.tolerance <= kGreatestTolerance)) {
    input.Member("tolerance")
        .Fail(fmt::format("it must be between {} and {}", kLeastTolerance, kGreatestTolerance));
  }
  if (input.Has("max_step")) integrator.max_step = input.Member("max_step").PositiveNumber();
  return integrator;
}

// Outputs end steps, so fixed steps must lead to them.
void ReadOutputs(const JsonCursor& input, Scenario* scenario) {
  const double step = scenario->integrator.step;
  double interval = scenario->end_time / 1000.0;
  if (input.Has("output_interval")) {
    interval = input.Member("output_interval").PositiveNumber();
  } else if (step > 0.0) {
    interval = step * std::max(1.0, std::round(interval / step));
  }
  const double steps = std::max(1.0, std::round(interval / step));
  if (step > 0.0 && std::abs(interval / step - steps) > kStepSlack * steps) {
    input.Member("output_interval")
        .Fail(fmt::format("{} s is not a multiple of the integrator's step of {} s, so outputs "
                          "would cut steps; choose a multiple",
                          interval, step));
  }
  if (scenario->end_time / interval > kMostOutputs) {
    input.Fail(fmt::format(
        "{:.3g} outputs are more than a run can have; take a longer \"output_interval\"",
        scenario->end_time / interval));
  }
  scenario->output_interval = interval;
  // A longer step could pass over what goes on. Steps that outputs do not end are as long as what
  // goes on allows, and motion has more than a few outputs.
  IntegratorSpec& integrator = scenario->integrator;
  if (integrator.max_step > 0.0) return;
  const bool is_implicit = integrator.method == IntegratorMethod::kImplicit;
  integrator.max_step = is_implicit ? kImplicitIntervals * interval : interval;
}

}  // namespace

void ExpectScenario(const JsonCursor& input) {
  input.ExpectObject(
      {"volcontact", "title",    "source",          "notes",    "gravity",  "bodies",   "springs",
       "bushings",   "motors",   "couplings",       "loops",    "loads",    "contacts", "sensors",
       "integrator", "end_time", "output_interval", "variants", "measures", "plots",    "urdf"});
  input.ExpectVersion();
}

Scenario ReadScenario(const ScenarioFile& file, const ScenarioVariant& variant) {
  const JsonDocument document = JsonDocument::Parse(variant.document, file.file,
                                                    std::filesystem::path(file.file).parent_path());
  const JsonCursor input = document.Root();
  ExpectScenario(input);
  if (input.Has("urdf"))
    input.Member("urdf").Fail("ReadScenarioFile puts its bodies in their places");
  Scenario scenario;
  scenario.title = file.title;
  scenario.gravity = input.Numbers3("gravity", scenario.gravity);
  scenario.bodies = ReadBodies(input, &scenario.notes);
  if (std::all_of(scenario.bodies.begin(), scenario.bodies.end(),
                  [](const BodySpec& body) { return body.fixed; })) {
    input.Fail("no body moves; list at least one in \"bodies\"");
  }
  for (const JsonCursor& item : input.Items("loads")) {
    scenario.loads.push_back(ReadLoad(item, scenario.bodies));
  }
  scenario.contacts = ReadContacts(input, &scenario);
  scenario.mechanism = ReadMechanism(input, scenario);
  if (input.Has("integrator")) scenario.integrator = ReadIntegrator(input.Member("integrator"));
  scenario.end_time = input.Member("end_time").PositiveNumber();
  ReadOutputs(input, &scenario);
  return scenario;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
