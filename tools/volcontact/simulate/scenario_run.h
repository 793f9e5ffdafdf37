// Running a scenario into a folder: time series, checkpoints, summary, plots.
#pragma once

#include <filesystem>
#include <string>

#include "cli/output.h"
#include "simulate/scenario_file.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

struct RunOptions {
  bool resume = false;     ///< go on where an interrupted run stopped
  bool overwrite = false;  ///< drop an interrupted run
  bool plots = true;

  /// Adds them to a subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// Throws InvalidInput for options that exclude each other.
  void Check() const;
};

struct RunResult {
  bool interrupted = false;
  Json summary;  ///< as in summary.json; null when interrupted
};

/// Runs one variant into a folder, which is made if need be. SIGINT and SIGTERM end the run after
/// the current output; the next one with `resume` goes on from there. Throws InvalidInput for a
/// scenario that cannot be simulated or a folder that cannot take it, and SimulationError.
RunResult RunVariant(const ScenarioFile& file, const Variant& variant,
                     const std::filesystem::path& folder, const RunOptions& options);

}  // namespace volcontact::tool
