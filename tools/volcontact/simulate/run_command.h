// Running scenarios from the command line: options, signs of life, signals, plots.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/scenario/scenario_run.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

struct RunArguments {
  bool resume = false, overwrite = false, no_plots = false;
  std::vector<std::string> kinds;  ///< of pictures, "png" or "svg"; none: the script's default
  bool advise = false;             ///< print what the scenario's own advice says, on standard error

  /// Adds them to a subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// Throws InvalidInput for options that exclude each other, and unknown kinds of pictures.
  void Check() const;

  /// Runs one variant as scenario::RunVariant does, with a bar on the terminal, draws it, and
  /// writes the page that shows it. SIGINT and SIGTERM end the run after the current output: then
  /// nothing is returned.
  std::optional<scenario::RunSummary> Run(const scenario::ScenarioFile& file,
                                          const scenario::ScenarioVariant& variant,
                                          const std::filesystem::path& folder) const;
};

}  // namespace volcontact::tool
