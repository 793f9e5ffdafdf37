#include "simulate/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/contact_file.h"
#include "volcontact/contact/cells.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

// One value of --set: its path and what stands behind the equals sign.
void ApplySetting(const std::string& setting, nlohmann::json* document) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InvalidInput(fmt::format(
        "--set {}: expected path=value, such as contacts.0.normal.restitution=0.3", setting));
  }
  const std::string text = setting.substr(equals + 1);
  const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  SetValue(setting.substr(0, equals), value.is_discarded() ? nlohmann::json(text) : value,
           document);
}

int MovingBody(const JsonInput& input, const std::vector<BodySpec>& bodies) {
  const int body = BodyIndex(input.At("body"), bodies);
  if (body < 0 || bodies[static_cast<std::size_t>(body)].fixed) {
    throw InvalidInput(input.At("body").Message("this body does not move"));
  }
  return body;
}

SpringSpec ReadSpring(const JsonInput& input, const std::vector<BodySpec>& bodies) {
  input.RequireKeys({"body", "stiffness", "damping", "rest", "note"});
  SpringSpec spring;
  spring.body = MovingBody(input, bodies);
  const JointType joint = bodies[static_cast<std::size_t>(spring.body)].joint;
  if (joint != JointType::kSlider && joint != JointType::kPin) {
    throw InvalidInput(input.At("body").Message("a spring needs a \"slider\" or \"pin\" joint"));
  }
  spring.stiffness = input.Number("stiffness");
  spring.damping = input.Number("damping", 0.0);
  spring.rest = input.Number("rest", 0.0);
  if (spring.stiffness < 0.0 || spring.damping < 0.0) {
    throw InvalidInput(input.Message("stiffness and damping must not be negative"));
  }
  return spring;
}

LoadSpec ReadLoad(const JsonInput& input, const std::vector<BodySpec>& bodies) {
  input.RequireKeys({"body", "force", "torque", "point", "frame", "times", "scale", "note"});
  LoadSpec load;
  load.body = MovingBody(input, bodies);
  load.force = input.Vector("force", load.force);
  load.torque = input.Vector("torque", load.torque);
  load.point = input.Vector("point", load.point);
  load.in_body_frame = input.Choice("frame", {"world", "body"}, 0) == 1;
  if (input.Has("times") || input.Has("scale")) load.scale = ReadPiecewiseLinear(input, "scale");
  return load;
}

PointPair ReadPointPair(const JsonInput& input, int type) {
  const double R = input.Number("sphere_radius");
  const double infinity = std::numeric_limits<double>::infinity();
  switch (type) {
    case 1:
      return SpherePlane{R};
    case 2:
      return SphereEdge{R, input.Number("angle"), input.Number("length", infinity)};
    case 3:
      return SphereCylinder{R, input.Number("radius"), input.Number("height", infinity)};
    case 4:
      return SphereBore{R, input.Number("radius"), input.Number("height", infinity)};
    default:
      return SphereCone{R, input.Number("radius"), input.Number("height"),
                        input.Number("radius_top", 0.0)};
  }
}

void ReadGeometry(const JsonInput& input, ContactSpec* contact) {
  input.RequireKeys({"type", "tolerance", "cells", "sphere_radius", "angle", "length", "radius",
                     "height", "radius_top", "frame_a", "frame_b"});
  const int type = input.Choice("type",
                                {"volumetric", "sphere_plane", "sphere_edge", "sphere_cylinder",
                                 "sphere_bore", "sphere_cone"},
                                0);
  if (type == 0) {
    input.RequireKeys({"type", "tolerance", "cells"});
    if (input.Has("tolerance")) contact->tolerance = input.PositiveNumber("tolerance");
    contact->cells = input.Flag("cells", false);
    return;
  }
  contact->point_pair = ReadPointPair(input, type);
  try {
    Validate(*contact->point_pair);
  } catch (const InvalidInput& error) {
    throw InvalidInput(input.Message(error.what()));
  }
  contact->frame_a = input.PoseAt("frame_a");
  contact->frame_b = input.PoseAt("frame_b");
}

void CheckContact(const JsonInput& input, const ContactSpec& contact,
                  const std::vector<BodySpec>& bodies) {
  const auto still = [&](int i) { return i < 0 || bodies[static_cast<std::size_t>(i)].fixed; };
  if (contact.a == contact.b)
    throw InvalidInput(input.Message("a body has no contact with itself"));
  if (still(contact.a) && still(contact.b)) {
    throw InvalidInput(input.Message("neither body moves"));
  }
  const bool volumetric = std::holds_alternative<VolumetricNormal>(contact.parameters.normal);
  if (volumetric == contact.point_pair.has_value()) {
    throw InvalidInput(input.At("normal").Message(
        volumetric ? "the volumetric law needs the solids of the bodies; leave \"geometry\" out, "
                     "or choose another law"
                   : "this law needs the depth of a point contact; give \"geometry\" with a type "
                     "such as sphere_plane, or take the volumetric law"));
  }
  for (const auto& [key, i] : {std::pair{"a", contact.a}, {"b", contact.b}}) {
    if (volumetric && (i < 0 || !bodies[static_cast<std::size_t>(i)].solid)) {
      throw InvalidInput(
          input.At(key).Message("the body needs a \"solid\" for volumetric contact"));
    }
  }
}

ContactSpec ReadContactSpec(const JsonInput& input, const std::vector<BodySpec>& bodies) {
  input.RequireKeys({"name", "a", "b", "geometry", "normal", "friction", "rolling", "contact_plate",
                     "tau_relaxation", "note"});
  ContactSpec contact;
  contact.name = input.At("name").Text();
  contact.a = BodyIndex(input.At("a"), bodies);
  contact.b = BodyIndex(input.At("b"), bodies);
  if (input.Has("geometry")) ReadGeometry(input.At("geometry"), &contact);
  contact.parameters = ReadContactMembers(input).parameters;
  CheckContact(input, contact, bodies);
  return contact;
}

std::vector<ContactSpec> ReadContacts(const JsonInput& scenario,
                                      const std::vector<BodySpec>& bodies) {
  std::vector<ContactSpec> contacts;
  for (const JsonInput& input : scenario.Items("contacts")) {
    ContactSpec contact = ReadContactSpec(input, bodies);
    CheckName(input, contact.name);
    const auto taken = [&](const auto& other) { return other.name == contact.name; };
    if (std::any_of(bodies.begin(), bodies.end(), taken) ||
        std::any_of(contacts.begin(), contacts.end(), taken)) {
      throw InvalidInput(input.At("name").Message("the name is taken; choose another"));
    }
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

IntegratorSpec ReadIntegrator(const JsonInput& input) {
  IntegratorSpec integrator;
  integrator.method = static_cast<IntegratorMethod>(
      input.Choice("method", {"adaptive", "stiff", "rk4", "rk3", "euler"}, 0));
  if (!integrator.has_error_control()) {
    input.RequireKeys({"method", "step"});
    integrator.step = input.PositiveNumber("step");
    return integrator;
  }
  input.RequireKeys({"method", "tolerance", "max_step"});
  integrator.tolerance = input.Number("tolerance", integrator.tolerance);
  if (!(integrator.tolerance >= 1e-13 && integrator.tolerance <= 0.1)) {
    throw InvalidInput(input.At("tolerance").Message("it must be between 1e-13 and 0.1"));
  }
  if (input.Has("max_step")) integrator.max_step = input.PositiveNumber("max_step");
  return integrator;
}

// A scenario with a variant's values in their places.
Variant ReadVariant(const JsonInput& input, const nlohmann::json& document) {
  Variant variant{input.At("name").Text(), document};
  if (variant.name.empty() || variant.name.find_first_of("/\\.") != std::string::npos) {
    throw InvalidInput(input.At("name").Message("a name is needed, without / \\ and ."));
  }
  if (!input.Has("set")) return variant;
  const JsonInput values = input.At("set");
  if (!values.value().is_object()) {
    throw InvalidInput(values.Message("an object of paths and values is expected"));
  }
  for (const auto& [path, value] : values.value().items()) {
    try {
      SetValue(path, value, &variant.document);
    } catch (const InvalidInput& error) {
      throw InvalidInput(values.Message(error.what()));
    }
  }
  return variant;
}

// A measure for a variant that does not exist would never be taken.
void CheckVariants(const ScenarioFile& file) {
  for (const MeasureSpec& measure : file.measures) {
    for (const std::string& name : measure.variants) {
      if (std::none_of(file.variants.begin(), file.variants.end(),
                       [&](const Variant& variant) { return variant.name == name; })) {
        throw InvalidInput(fmt::format("{}: the measure \"{}\": there is no variant \"{}\"",
                                       file.file, measure.name, name));
      }
    }
  }
}

// The keys of a scenario. Values of a variant may bring others.
void RequireScenarioKeys(const JsonInput& input) {
  input.RequireKeys({"title", "source", "notes", "gravity", "bodies", "springs", "loads",
                     "contacts", "integrator", "end_time", "output_interval", "variants",
                     "measures", "plots"});
}

// Outputs end steps, so fixed steps must lead to them.
void ReadOutputs(const JsonInput& input, Scenario* scenario) {
  constexpr double kMostOutputs = 1e7;
  const double step = scenario->integrator.step;
  double interval = scenario->end_time / 1000.0;
  if (input.Has("output_interval")) {
    interval = input.PositiveNumber("output_interval");
  } else if (step > 0.0) {
    interval = step * std::max(1.0, std::round(interval / step));
  }
  if (step > 0.0 && std::abs(interval / step - std::round(interval / step)) > 1e-6) {
    throw InvalidInput(input.At("output_interval")
                           .Message(fmt::format("{} s is no multiple of the integrator's step of "
                                                "{} s, which outputs would cut",
                                                interval, step)));
  }
  if (scenario->end_time / interval > kMostOutputs) {
    throw InvalidInput(input.Message(fmt::format(
        "{:.3g} outputs are more than a run can have; take a longer \"output_interval\"",
        scenario->end_time / interval)));
  }
  scenario->output_interval = interval;
  // A longer step could fall through a body without seeing it.
  if (scenario->integrator.max_step == 0.0) scenario->integrator.max_step = interval;
}

}  // namespace

PiecewiseLinear ReadPiecewiseLinear(const JsonInput& input, const char* values) {
  PiecewiseLinear f{input.Numbers("times"), input.Numbers(values)};
  if (f.times.empty() || f.times.size() != f.values.size()) {
    throw InvalidInput(input.Message(fmt::format(
        "\"times\" and \"{}\" must be lists of the same length, at least one", values)));
  }
  if (std::adjacent_find(f.times.begin(), f.times.end(), std::greater_equal<>()) != f.times.end()) {
    throw InvalidInput(input.At("times").Message("the times must ascend"));
  }
  return f;
}

void SetValue(const std::string& path, const nlohmann::json& value, nlohmann::json* document) {
  nlohmann::json* at = document;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, dot - begin);
    if (at->is_array()) {
      std::size_t index = 0;
      const auto end = std::from_chars(key.data(), key.data() + key.size(), index);
      if (end.ec != std::errc() || end.ptr != key.data() + key.size() || index >= at->size()) {
        throw InvalidInput(fmt::format("{}: \"{}\" is no item of a list of {}, counted from 0",
                                       path, key, at->size()));
      }
      at = &(*at)[index];
    } else if (at->is_object() || at->is_null()) {
      at = &(*at)[key];
    } else {
      throw InvalidInput(fmt::format("{}: nothing can be named \"{}\" within {}", path, key,
                                     at->dump().substr(0, 40)));
    }
    if (dot == path.size()) break;
    begin = dot + 1;
  }
  *at = value;
}

ScenarioFile ReadScenarioFile(const std::string& file, const std::vector<std::string>& set) {
  nlohmann::json document = JsonInput::ReadFile(file).value();
  for (const std::string& setting : set) ApplySetting(setting, &document);
  const JsonInput input(file, document);
  RequireScenarioKeys(input);
  ScenarioFile result;
  result.file = file;
  result.title = input.Text("title", "");
  result.source = input.Text("source", "");
  for (const JsonInput& note : input.Items("notes")) result.notes.push_back(note.Text());
  for (const JsonInput& item : input.Items("variants")) {
    item.RequireKeys({"name", "set", "note"});
    Variant variant = ReadVariant(item, document);
    for (const Variant& other : result.variants) {
      if (other.name == variant.name) {
        throw InvalidInput(item.At("name").Message("two variants have this name"));
      }
    }
    // What is given on the command line counts most.
    for (const std::string& setting : set) ApplySetting(setting, &variant.document);
    result.variants.push_back(std::move(variant));
  }
  if (result.variants.empty()) result.variants.push_back({"", document});
  result.measures = ReadMeasures(input);
  CheckVariants(result);
  if (input.Has("plots")) result.plots = input.At("plots").value();
  return result;
}

Scenario ReadScenario(const ScenarioFile& file, const Variant& variant) {
  const JsonInput input(file.file, variant.document);
  RequireScenarioKeys(input);
  Scenario scenario;
  scenario.title = file.title;
  scenario.gravity = input.Vector("gravity", scenario.gravity);
  scenario.bodies = ReadBodies(input);
  if (std::all_of(scenario.bodies.begin(), scenario.bodies.end(),
                  [](const BodySpec& body) { return body.fixed; })) {
    throw InvalidInput(input.Message("no body moves; list at least one in \"bodies\""));
  }
  for (const JsonInput& item : input.Items("springs")) {
    scenario.springs.push_back(ReadSpring(item, scenario.bodies));
  }
  for (const JsonInput& item : input.Items("loads")) {
    scenario.loads.push_back(ReadLoad(item, scenario.bodies));
  }
  scenario.contacts = ReadContacts(input, scenario.bodies);
  if (input.Has("integrator")) scenario.integrator = ReadIntegrator(input.At("integrator"));
  scenario.end_time = input.PositiveNumber("end_time");
  ReadOutputs(input, &scenario);
  return scenario;
}

}  // namespace volcontact::tool
