#include "simulate/run_command.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "cli/python_script.h"
#include "cli/stop_requests.h"
#include "plot_run_script.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

// Draws a run into its folder; returns what went wrong.
std::vector<std::string> Draw(const std::filesystem::path& folder) {
  switch (RunPythonScript(kPlotRunScript, {folder.string()})) {
    case ScriptEnd::kNoMatplotlib:
      return {"no plots: no python3 with matplotlib is on the PATH; install python3-matplotlib"};
    case ScriptEnd::kFailed:
      return {"no plots: drawing them failed"};
    default:
      return {};
  }
}

}  // namespace

void RunArguments::AddTo(CLI::App* command) {
  command->add_flag("--resume", resume, "Go on with an interrupted run");
  command->add_flag("--overwrite", overwrite, "Drop an interrupted run");
  command->add_flag("--no-plots{false}", plots, "Draw nothing");
}

void RunArguments::Check() const {
  if (resume && overwrite) throw InvalidInput("--resume and --overwrite exclude each other");
}

std::optional<scenario::RunSummary> RunArguments::Run(const scenario::ScenarioFile& file,
                                                      const scenario::ScenarioVariant& variant,
                                                      const std::filesystem::path& folder) const {
  std::optional<StopRequests> requests(std::in_place);
  std::optional<ProgressBar> bar(std::in_place, variant.name.empty() ? file.title : variant.name);
  scenario::RunOptions options;
  options.resume = resume;
  options.overwrite = overwrite;
  options.stop = StopRequested;
  options.advise = [this](const std::string& line) {
    if (advise) std::cerr << "volcontact: advice: " << line << '\n';
  };
  options.progress = [&](double share) { bar->Show(share); };
  options.finish = [&](const std::filesystem::path& finished) {
    bar.reset();
    requests.reset();  // what is computed is safe: a signal may end the process again
    if (StopRequested()) std::raise(SIGINT);
    return plots ? Draw(finished) : std::vector<std::string>();
  };
  return scenario::RunVariant(file, variant, folder, options);
}

}  // namespace volcontact::tool
