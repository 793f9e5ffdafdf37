// volcontact simulate: runs a scenario on a multibody engine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "simulate/run_command.h"
#include "simulate/run_page.h"
#include "simulate/simulate_report.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/scenario_file.h"

namespace volcontact::tool {
namespace {

using scenario::ScenarioFile;
using scenario::ScenarioVariant;

constexpr char kSimulateFooter[] =
    R"(Writes DIR/timeseries.csv, DIR/summary.json, plots, and DIR/index.html, which shows them. A scenario
with variants writes DIR/<variant>/... and one DIR/index.html for all. Prints the measured values beside
those of the scenario's source. Ctrl-C ends the run after the current output; --resume continues from
there. Formats: docs/scenarios.md.

Exit status: 0 simulated; 1 interrupted, or failed (the motion is not finite, or the energy ledger does
not close); 2 bad input.

Example:
  volcontact simulate data/scenarios/ball_on_table.json --out run/
  volcontact simulate data/scenarios/impact.json --out run2/ --set contacts.0.normal.restitution=0.3
)";

struct SimulateCommand {
  std::string file, out;
  std::vector<std::string> set, variants;
  RunArguments run;
  bool json = false;

  ExitStatus Run() const;
  std::vector<const ScenarioVariant*> Chosen(const ScenarioFile& read) const;
};

std::vector<const ScenarioVariant*> SimulateCommand::Chosen(const ScenarioFile& read) const {
  std::vector<const ScenarioVariant*> chosen;
  for (const std::string& name : variants) {
    const auto found =
        std::find_if(read.variants.begin(), read.variants.end(),
                     [&](const ScenarioVariant& variant) { return variant.name == name; });
    if (found == read.variants.end()) {
      std::vector<std::string> known;
      for (const ScenarioVariant& variant : read.variants) known.push_back(variant.name);
      if (known.front().empty()) {
        throw InvalidInput(
            fmt::format("--variant {}: {} has no variants; drop the option", name, file));
      }
      throw InvalidInput(fmt::format("--variant {}: {} has no such variant{}, but: {}", name, file,
                                     DidYouMean(name, known), fmt::join(known, " ")));
    }
    chosen.push_back(&*found);
  }
  if (variants.empty()) {
    for (const ScenarioVariant& variant : read.variants) chosen.push_back(&variant);
  }
  return chosen;
}

ExitStatus SimulateCommand::Run() const {
  run.Check();
  const ScenarioFile read = scenario::ReadScenarioFile(file, set);
  const std::vector<const ScenarioVariant*> chosen = Chosen(read);
  for (const ScenarioVariant* variant : chosen) {
    scenario::ReadScenario(read, *variant);  // all errors come first
  }
  std::vector<SimulatedRun> runs;
  for (const ScenarioVariant* variant : chosen) {
    const std::filesystem::path folder = std::filesystem::path(out) / variant->name;
    SimulatedRun& simulated = runs.emplace_back();
    simulated.variant = variant->name;
    try {
      simulated.summary = run.Run(read, *variant, folder);
    } catch (const scenario::SimulationError& error) {
      simulated.failure = error.what();
      continue;
    }
    if (!simulated.summary) {
      Tell(fmt::format("interrupted; {} holds what was computed, --resume goes on",
                       folder.string()));
      return ExitStatus::kNotConverged;
    }
    simulated.failure = simulated.summary->failure;
  }
  WriteVariantsPage(read, out);
  const std::vector<std::string> failures = FailureLines(runs);
  for (const std::string& failure : failures) Tell(failure);
  if (json) {
    Print(SimulateJson(file, runs, read.variants.front().name.empty()));
  } else {
    Print(SimulateText(read, runs, out));
  }
  return failures.empty() ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddSimulateCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<SimulateCommand>();
  command->run.advise = true;
  CLI::App* simulate = app->add_subcommand("simulate", "Simulate a scenario of bodies in contact");
  simulate->footer(kSimulateFooter);
  simulate->add_option("scenario", command->file, "Scenario file (.json)")->required();
  simulate->add_option("--out", command->out, "Folder for the results")->required();
  simulate
      ->add_option("--set", command->set,
                   "Override a value of the scenario, such as end_time=2; may be repeated")
      ->type_name("path=value")
      ->expected(1)
      ->take_all();
  simulate->add_option("--variant", command->variants, "Run this variant only; may be repeated")
      ->expected(1)
      ->take_all();
  command->run.AddTo(simulate);
  simulate->add_flag("--json", command->json, "Print the summaries as JSON");
  simulate->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
