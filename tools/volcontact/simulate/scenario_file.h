// Reading scenario files.
#pragma once

#include <string>
#include <vector>

#include "cli/json_input.h"
#include "simulate/measures.h"
#include "simulation/scenario.h"

namespace volcontact::tool {

/// One way to run a scenario.
struct Variant {
  std::string name;         ///< empty for a scenario without variants
  nlohmann::json document;  ///< the scenario's, with the variant's values in their places
};

/// A scenario file, with the values of --set in their places.
struct ScenarioFile {
  std::string file;
  std::string title, source;
  std::vector<std::string> notes;
  std::vector<Variant> variants;
  std::vector<MeasureSpec> measures;
  nlohmann::json plots = nlohmann::json::array();
};

/// Sets the value at a path such as contacts.0.normal.restitution. Throws InvalidInput where the
/// path leads through something that is neither an object nor a list, or beyond the end of a list.
void SetValue(const std::string& path, const nlohmann::json& value, nlohmann::json* document);

/// Reads a file, sets the values `path=value` (JSON, or else a text), and expands the variants.
/// Throws InvalidInput that names the file, the place in it and the cure.
ScenarioFile ReadScenarioFile(const std::string& file, const std::vector<std::string>& set);

/// The scenario of one variant. Throws InvalidInput for what cannot be simulated, too.
Scenario ReadScenario(const ScenarioFile& file, const Variant& variant);

/// The bodies of a scenario; solids in files are looked for beside the scenario.
std::vector<BodySpec> ReadBodies(const JsonInput& scenario);

/// Throws InvalidInput unless the name of a body or contact can stand before a column's.
void CheckName(const JsonInput& input, const std::string& name);

/// The index of the body that a text names, -1 for "ground". Throws InvalidInput for another name.
int BodyIndex(const JsonInput& name, const std::vector<BodySpec>& bodies);

/// {"times", `values`}: throws InvalidInput unless both are as long and the times ascend.
PiecewiseLinear ReadPiecewiseLinear(const JsonInput& input, const char* values);

}  // namespace volcontact::tool
