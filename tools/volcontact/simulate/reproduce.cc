// volcontact reproduce: all scenarios, and one report that sets their figures beside the sources'.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/output.h"
#include "simulate/run_command.h"
#include "simulate/run_page.h"
#include "simulate/simulate_report.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/report.h"

namespace volcontact::tool {
namespace {

namespace fs = std::filesystem;

using scenario::MeasureSummary;
using scenario::Report;
using scenario::ReportHeading;
using scenario::ReportImage;
using scenario::ReportList;
using scenario::ReportParagraph;
using scenario::ReportTable;
using scenario::RunSummary;
using scenario::ScenarioFile;
using scenario::ScenarioVariant;

constexpr char kReproduceFooter[] =
    R"(Runs every scenario of a folder into DIR/<scenario>/, and writes DIR/report.md and DIR/report.html.
Each row has the value of the source, the computed value, a verdict, and the reason if they differ.
This takes some minutes; --resume continues an interrupted run.

Exit status: 0 all values agree, or differ for a stated reason; 1 some differ without a reason, an energy
ledger does not close under error control, or the run was interrupted; 2 bad input.

Example:
  volcontact reproduce --scenarios data/scenarios --out report/
)";

struct ScenarioRuns {
  std::string name;
  ScenarioFile file;
  std::vector<RunSummary> summaries;
};

struct Tally {
  int agree = 0, explained = 0, differ = 0;
  double worst_ledger = 0.0, slowest = INFINITY;
};

Tally TallyOf(const ScenarioRuns& runs) {
  Tally tally;
  for (const RunSummary& summary : runs.summaries) {
    for (const MeasureSummary& measure : summary.measures) {
      if (measure.paper.empty()) continue;
      ++(measure.agrees ? tally.agree : measure.reason.empty() ? tally.differ : tally.explained);
    }
    if (summary.error_control) {
      tally.worst_ledger = std::max(tally.worst_ledger, summary.energy.residual_relative);
    }
    tally.slowest = std::min(tally.slowest, summary.real_time_factor);
  }
  return tally;
}

std::string Machine() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("model name", 0) == 0) {
      return fmt::format("{}, {} threads", line.substr(line.find(':') + 2),
                         std::thread::hardware_concurrency());
    }
  }
  utsname name{};
  uname(&name);
  return name.machine;
}

ReportTable Overview(const std::vector<ScenarioRuns>& all) {
  ReportTable table{{"scenario", "variants", "agree", "differ, explained", "differ", "worst ledger",
                     "slowest, of real time"},
                    {}};
  for (const ScenarioRuns& runs : all) {
    const Tally tally = TallyOf(runs);
    table.rows.push_back({runs.name, std::to_string(runs.summaries.size()),
                          std::to_string(tally.agree), std::to_string(tally.explained),
                          std::to_string(tally.differ), fmt::format("{:.1e}", tally.worst_ledger),
                          fmt::format("{:.2g}", tally.slowest)});
  }
  return table;
}

ReportTable Measures(const ScenarioRuns& runs) {
  ReportTable table{{"measure", "variant", "source", "ours", "unit", "verdict"}, {}};
  for (const RunSummary& summary : runs.summaries) {
    for (const MeasureSummary& measure : summary.measures) {
      table.rows.push_back({measure.name, summary.variant, measure.paper, MeasureValue(measure),
                            measure.unit, Verdict(measure)});
    }
  }
  return table;
}

void AddSection(const ScenarioRuns& runs, const fs::path& out, Report* report) {
  report->push_back(ReportHeading{2, runs.name + ": " + runs.file.title});
  if (!runs.file.source.empty()) report->push_back(ReportParagraph{runs.file.source + "."});
  if (!runs.file.notes.empty()) report->push_back(ReportList{runs.file.notes});
  const std::string variant = runs.file.variants.front().name;
  const std::string picture =
      runs.name + "/" + (variant.empty() ? "" : variant + "/") + "overview.png";
  if (fs::exists(out / picture))
    report->push_back(ReportImage{picture, runs.file.title, runs.name + "/index.html"});
  report->push_back(Measures(runs));
}

Report MakeReport(const std::vector<ScenarioRuns>& all, const fs::path& out) {
  Report report;
  report.push_back(ReportHeading{1, "The papers' experiments, simulated"});
  report.push_back(ReportParagraph{fmt::format(
      "Written by `volcontact reproduce` on {:%Y-%m-%d}; GCC {}, {}. A value agrees if it lies "
      "within the range that the source states or can be read to. The ledger is the sum of "
      "kinetic, potential, elastic and dissipated energy and work, divided by the energy put in; "
      "it should be 0, and the table shows the worst variant with error control. Speed is "
      "simulated time divided by processor time, for the slowest variant. It is below one for "
      "impacts of milliseconds that are sampled a thousand times.",
      fmt::localtime(std::time(nullptr)), __VERSION__, Machine())});
  report.push_back(Overview(all));
  for (const ScenarioRuns& runs : all) AddSection(runs, out, &report);
  return report;
}

struct ReproduceCommand {
  std::string scenarios = "data/scenarios", out;
  std::vector<std::string> only;
  RunArguments run;
  bool json = false;

  ExitStatus Run() const;
  std::vector<fs::path> Files() const;
  bool RunScenario(ScenarioRuns* runs) const;
};

std::vector<fs::path> ReproduceCommand::Files() const {
  if (!fs::is_directory(scenarios)) {
    throw InvalidInput(fmt::format(
        "--scenarios {}: is not a folder; name the one with the scenario files", scenarios));
  }
  std::vector<fs::path> files;
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(scenarios)) {
    const std::string name = entry.path().stem().string();
    known.push_back(name);
    const bool chosen = only.empty() || std::find(only.begin(), only.end(), name) != only.end();
    if (entry.path().extension() == ".json" && chosen) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& name : only) {
    if (std::none_of(files.begin(), files.end(),
                     [&](const fs::path& file) { return file.stem() == name; })) {
      throw InvalidInput(fmt::format("--only {}: {} holds no such scenario{}", name, scenarios,
                                     DidYouMean(name, known)));
    }
  }
  if (files.empty())
    throw InvalidInput(fmt::format(
        "{}: holds no scenario; name a folder with .json files of scenarios", scenarios));
  return files;
}

// False when interrupted.
bool ReproduceCommand::RunScenario(ScenarioRuns* runs) const {
  for (const ScenarioVariant& variant : runs->file.variants) {
    const auto summary = run.Run(runs->file, variant, fs::path(out) / runs->name / variant.name);
    if (!summary) return false;
    runs->summaries.push_back(*summary);
  }
  WriteVariantsPage(runs->file, fs::path(out) / runs->name);
  return true;
}

ExitStatus ReproduceCommand::Run() const {
  run.Check();
  std::vector<ScenarioRuns> all;
  for (const fs::path& file : Files()) {
    all.push_back({file.stem().string(), scenario::ReadScenarioFile(file.string()), {}});
    for (const ScenarioVariant& variant : all.back().file.variants)
      scenario::ReadScenario(all.back().file, variant);
  }
  for (ScenarioRuns& runs : all) {
    if (RunScenario(&runs)) continue;
    Tell("interrupted; --resume goes on");
    return ExitStatus::kNotConverged;
  }
  const Report report = MakeReport(all, out);
  ReplaceFile(fs::path(out) / "report.md", scenario::ToMarkdown(report));
  ReplaceFile(fs::path(out) / "report.html", scenario::ToHtml(report));

  Json answer = Json::array();
  int differ = 0;
  bool failed = false;
  for (const ScenarioRuns& runs : all) {
    const Tally tally = TallyOf(runs);
    differ += tally.differ;
    for (const RunSummary& summary : runs.summaries) {
      // Fixed steps are the papers' own, and their ledgers a part of what is reproduced.
      if (summary.failure.empty() || !summary.error_control) continue;
      failed = true;
      Tell(fmt::format("{} {}: {}", runs.name, summary.variant, summary.failure));
    }
    answer.push_back({{"scenario", runs.name},
                      {"agree", tally.agree},
                      {"explained", tally.explained},
                      {"differ", tally.differ},
                      {"worst_ledger", tally.worst_ledger},
                      {"slowest_real_time_factor", tally.slowest}});
  }
  if (json) {
    Print(Json{{"scenarios", answer}, {"report", (fs::path(out) / "report.md").string()}});
  } else {
    Print(scenario::ToMarkdown({Overview(all)}) + "written to " + out +
          "/report.md and report.html\n");
  }
  return differ == 0 && !failed ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddReproduceCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<ReproduceCommand>();
  CLI::App* reproduce =
      app->add_subcommand("reproduce", "Run all scenarios and report beside their sources");
  reproduce->footer(kReproduceFooter);
  reproduce->add_option("--scenarios", command->scenarios, "Folder of scenario files")
      ->capture_default_str();
  reproduce->add_option("--out", command->out, "Folder for results and report")->required();
  reproduce->add_option("--only", command->only, "Run this scenario only; may be repeated")
      ->expected(1)
      ->take_all();
  command->run.AddTo(reproduce);
  reproduce->add_flag("--json", command->json, "Print the overview as JSON");
  reproduce->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
