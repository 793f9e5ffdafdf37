// volcontact simulate: runs a scenario on a multibody engine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "simulate/scenario_run.h"
#include "simulate/simulate_report.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kSimulateFooter[] =
    R"(Writes DIR/timeseries.csv, DIR/summary.json and plots (DIR/<variant>/… for a scenario with
variants), and prints what was measured beside what the scenario's source says. Ctrl-C ends the run
after the current output; --resume goes on from there. Formats: docs/scenarios.md. Exit status:
0 simulated, 1 interrupted, 2 bad input.

Example:
  volcontact simulate data/scenarios/ball_on_table.json --out run/
  volcontact simulate data/scenarios/impact.json --out run2/ --set contacts.0.normal.restitution=0.3
)";

struct SimulateCommand {
  std::string file, out;
  std::vector<std::string> set, variants;
  RunOptions options;
  bool json = false;

  ExitStatus Run() const;
  std::vector<const Variant*> Chosen(const ScenarioFile& scenario) const;
};

std::vector<const Variant*> SimulateCommand::Chosen(const ScenarioFile& scenario) const {
  std::vector<const Variant*> chosen;
  for (const std::string& name : variants) {
    const auto found = std::find_if(scenario.variants.begin(), scenario.variants.end(),
                                    [&](const Variant& variant) { return variant.name == name; });
    if (found == scenario.variants.end()) {
      std::string known;
      for (const Variant& variant : scenario.variants) known += " " + variant.name;
      throw InvalidInput(
          fmt::format("--variant {}: {} has no such variant, but:{}", name, file, known));
    }
    chosen.push_back(&*found);
  }
  if (variants.empty()) {
    for (const Variant& variant : scenario.variants) chosen.push_back(&variant);
  }
  return chosen;
}

ExitStatus SimulateCommand::Run() const {
  options.Check();
  const ScenarioFile scenario = ReadScenarioFile(file, set);
  const std::vector<const Variant*> chosen = Chosen(scenario);
  for (const Variant* variant : chosen) ReadScenario(scenario, *variant);  // all errors come first
  Json runs = Json::array();
  for (const Variant* variant : chosen) {
    const std::filesystem::path folder = std::filesystem::path(out) / variant->name;
    const RunResult result = RunVariant(scenario, *variant, folder, options);
    if (result.interrupted) {
      std::cerr << fmt::format(
          "volcontact: interrupted; {} holds what was computed, --resume goes on\n",
          folder.string());
      return ExitStatus::kNotConverged;
    }
    runs.push_back(result.summary);
  }
  if (json) {
    Print(runs.size() == 1 && scenario.variants.front().name.empty() ? runs[0]
                                                                     : Json{{"runs", runs}});
  } else {
    Print(SimulateText(scenario, runs, out));
  }
  return ExitStatus::kAnswered;
}

}  // namespace

void AddSimulateCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<SimulateCommand>();
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
  command->options.AddTo(simulate);
  simulate->add_flag("--json", command->json, "Print the summaries as JSON");
  simulate->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
