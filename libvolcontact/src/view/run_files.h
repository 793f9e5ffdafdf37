// A run as it is read back from its folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "volcontact/scenario/scenario_file.h"
#include "volcontact/scenario/time_series.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

struct RunFiles {
  scenario::ScenarioFile file;  ///< run_scenario.json, as if it stood where its solids are
  scenario::Scenario scenario;
  scenario::TimeSeries series;
  std::string variant;             ///< empty where there is one only, or none is known
  std::string state;               ///< why the run is not to be relied on; empty for a good one
  std::vector<std::string> notes;  ///< what was left out, and `state`
};

/// Reads a run; see MakeRunScene.
RunFiles ReadRun(const std::filesystem::path& folder, const std::filesystem::path& solids);

}  // namespace view
VOLCONTACT_NAMESPACE_END
