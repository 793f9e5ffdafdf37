// Scenario files (docs/scenarios.md): reading them, their variants, and overriding values.
//
// Component volcontact::scenario. All functions may be called by any threads at once.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/measures.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// One way to run a scenario.
struct ScenarioVariant {
  std::string name;      ///< empty for a scenario without variants
  std::string document;  ///< JSON: the scenario's, with the variant's values in their places
  /// As the file has it, whatever was set [s]: the measures are meant for it. 0 where it has none.
  double end_time = 0.0;
};

/// Plots of a run in addition to the standard ones: expressions over the columns.
struct PlotSpec {
  std::string title, x_label, y_label;
  std::string x = "t";
  std::vector<std::string> y;
  std::vector<std::string> labels;  ///< of the curves, one for each y; empty: y itself names them
};

/// A scenario file, with overridden values in their places.
struct ScenarioFile {
  std::string file;
  std::string title, source;
  std::vector<std::string> notes;
  std::vector<ScenarioVariant> variants;  ///< at least one
  std::vector<MeasureSpec> measures;
  std::vector<PlotSpec> plots;
  /// Whether values were set that describe the experiment, not how it is computed or shown: the
  /// values of the source are then no measure for it.
  bool is_changed = false;
};

/// Reads a file, sets the values `path=value` (JSON, or else a text), and expands the variants.
/// Throws InvalidInput that names the file, the place in it and the cure.
VOLCONTACT_EXPORT ScenarioFile ReadScenarioFile(const std::string& file,
                                                const std::vector<std::string>& set = {});

/// The scenario of one variant; solids in files are looked for beside the scenario's. Throws
/// InvalidInput for what cannot be simulated, too. Cost: that of reading the solids, and of the
/// mass properties of those with a density.
VOLCONTACT_EXPORT Scenario ReadScenario(const ScenarioFile& file, const ScenarioVariant& variant);

/// The JSON document with another value at a path such as contacts.0.normal.restitution. Throws
/// InvalidInput where the path leads through something that is neither an object nor a list, or
/// beyond the end of a list, and where document or value are no JSON.
VOLCONTACT_EXPORT std::string WithValue(const std::string& document, const std::string& path,
                                        const std::string& value);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
