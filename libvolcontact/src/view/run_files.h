// A run as it is read back from its folder.
#pragma once

#include <filesystem>
#include <vector>

#include "volcontact/scenario/scenario_file.h"
#include "volcontact/scenario/time_series.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

struct RunFiles {
  scenario::ScenarioFile file;  ///< run_scenario.json, as if it stood where its solids are
  scenario::Scenario scenario;
  scenario::TimeSeries series;
};

/// Reads a run; see MakeRunScene.
RunFiles ReadRun(const std::filesystem::path& folder, const std::filesystem::path& solids);

}  // namespace view
VOLCONTACT_NAMESPACE_END
