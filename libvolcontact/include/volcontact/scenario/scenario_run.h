// Running a scenario into a folder: time series, checkpoints, summary.
//
// Component volcontact::scenario, where it was built with Simbody.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/run_summary.h"
#include "volcontact/scenario/scenario_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

struct RunOptions {
  bool resume = false;     ///< go on where an interrupted run stopped; excludes `overwrite`
  bool overwrite = false;  ///< drop an interrupted run, or one of another scenario
  /// Asked between two steps, and often: true ends the run, which may be resumed.
  std::function<bool()> stop;
  /// Told Scenario::notes and every line of AdviceOf the scenario before the run starts.
  std::function<void(const std::string&)> advise;
  /// Told after every output which share of the run is done, in (0, 1].
  std::function<void(double)> progress;
  /// Called when all files are written, such as to draw them; what it returns joins the summary's
  /// warnings.
  std::function<std::vector<std::string>(const std::filesystem::path& folder)> finish;
};

/// Runs one variant into a folder, which is made if need be: timeseries.csv, summary.json,
/// plots.json (samples of what the scenario draws), run_scenario.json, and checkpoint.json every
/// few seconds while it lasts. Nothing is returned when `stop` ended it. With `resume`, a run of
/// the same values that has finished is not run again. Throws InvalidInput for a scenario that
/// cannot be simulated or a folder that cannot take it, SimulationError, and std::runtime_error
/// where a file cannot be written. Several threads may run into different folders.
VOLCONTACT_EXPORT std::optional<RunSummary> RunVariant(const ScenarioFile& file,
                                                       const ScenarioVariant& variant,
                                                       const std::filesystem::path& folder,
                                                       const RunOptions& options);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
