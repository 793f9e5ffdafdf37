#include "simulate/run_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/python_script.h"
#include "cli/stop_requests.h"
#include "plot_scripts.h"
#include "simulate/run_page.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

// Draws a run into its folder; returns what went wrong.
std::vector<std::string> Draw(const std::filesystem::path& folder,
                              const std::vector<std::string>& kinds) {
  std::vector<std::string> arguments = {"plot_run", folder.string()};
  arguments.insert(arguments.end(), kinds.begin(), kinds.end());
  const ScriptResult result = RunPythonScript(kPlotScripts, arguments);
  switch (result.end) {
    case ScriptEnd::kNoMatplotlib:
      return {"no plots: no python3 with matplotlib is on the PATH; install python3-matplotlib"};
    case ScriptEnd::kFailed:
      return {"no plots: drawing them failed" +
              (result.message.empty() ? "" : ": " + result.message)};
    default:
      return {};
  }
}

}  // namespace

void RunArguments::AddTo(CLI::App* command) {
  command->add_flag("--resume", resume, "Continue an interrupted run");
  command->add_flag("--overwrite", overwrite, "Delete an interrupted run first");
  command->add_option("--plots", kinds, "Kinds of pictures: png (default), svg, or png,svg")
      ->delimiter(',')
      ->type_name("KINDS");
  command->add_flag("--no-plots", no_plots, "Draw no pictures");
}

void RunArguments::Check() const {
  if (resume && overwrite)
    throw InvalidInput("--resume and --overwrite exclude each other; give one");
  if (no_plots && !kinds.empty()) {
    throw InvalidInput("--no-plots and --plots exclude each other; give one");
  }
  for (const std::string& kind : kinds) {
    if (kind != "png" && kind != "svg") {
      throw InvalidInput(
          fmt::format("--plots {}: not a kind of picture; choose png, svg or png,svg", kind));
    }
  }
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
    if (advise) Tell("advice: " + line);
  };
  options.progress = [&](double share) { bar->Show(share); };
  options.finish = [&](const std::filesystem::path& finished) {
    bar.reset();
    requests.reset();  // what is computed is safe: a signal may end the process again
    if (StopRequested()) std::raise(SIGINT);
    return no_plots ? std::vector<std::string>() : Draw(finished, kinds);
  };
  std::optional<scenario::RunSummary> summary =
      scenario::RunVariant(file, variant, folder, options);
  if (summary) WriteRunPage(*summary, folder);
  return summary;
}

}  // namespace volcontact::tool
