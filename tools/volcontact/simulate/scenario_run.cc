#include "simulate/scenario_run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>

#include "cli/progress.h"
#include "cli/python_script.h"
#include "cli/stop_requests.h"
#include "plot_run_script.h"
#include "simulate/run_files.h"
#include "simulate/simulate_report.h"
#include "simulation/simulator.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A ledger that misses by more, over the energy put in, gets a warning.
constexpr double kLedgerWarning = 1e-2;

// Wall time between checkpoints [s].
constexpr double kCheckpointInterval = 5.0;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Processor time of this process [s].
double ProcessorSeconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// Whether a folder holds a run of this variant.
bool IsOf(const Variant& variant, const fs::path& folder) {
  const fs::path path = folder / "run_scenario.json";
  return fs::exists(path) && JsonInput::ReadFile(path.string()).value() == variant.document;
}

class Run {
 public:
  Run(const ScenarioFile& file, const Variant& variant, const fs::path& folder,
      const RunOptions& options)
      : file_(file),
        variant_(variant),
        folder_(folder),
        scenario_(ReadScenario(file, variant)),
        simulator_(scenario_) {
    CheckExpressions();
    PrepareFolder(options);
  }

  // True when the end was reached.
  bool Simulate();
  Json Summary() const;

 private:
  void CheckExpressions() const;
  void PrepareFolder(const RunOptions& options);
  void Resume();
  void WriteRow();
  void WriteCheckpoint();
  Json StatisticsJson() const;
  Json EnergyJson(const TimeSeries& series) const;
  nlohmann::json PlotData(const TimeSeries& series) const;

  fs::path CheckpointPath() const { return folder_ / "checkpoint.json"; }
  long NumIntervals() const {
    return static_cast<long>(std::ceil(scenario_.end_time / scenario_.output_interval - 1e-9));
  }

  const ScenarioFile& file_;
  const Variant& variant_;
  fs::path folder_;
  Scenario scenario_;
  Simulator simulator_;
  std::unique_ptr<CsvWriter> csv_;
  long rows_ = 0;  // written
  double seconds_ = 0.0, processor_seconds_ = 0.0;
  SimulationStatistics earlier_;  // of what was simulated before the last interruption
};

// Expressions that cannot be evaluated are found at the start rather than at the end of a run.
void Run::CheckExpressions() const {
  TimeSeries start;
  start.names = simulator_.column_names();
  start.columns.assign(start.names.size(), {0.0});
  TakeMeasures(file_.measures, variant_.name, start);
  PlotData(start);
}

void Run::PrepareFolder(const RunOptions& options) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_)) {
    throw InvalidInput(fmt::format("--out {}: is no folder and cannot be made: {}",
                                   folder_.string(), error.message()));
  }
  const bool interrupted = fs::exists(CheckpointPath());
  const bool finished = fs::exists(folder_ / "summary.json");
  if (options.resume && (interrupted || finished) && !IsOf(variant_, folder_)) {
    throw InvalidInput(
        fmt::format("--resume: the run in {} is of another scenario, or of other values; start "
                    "anew with --overwrite",
                    folder_.string()));
  }
  if (interrupted && options.resume) {
    Resume();
    return;
  }
  if (interrupted && !options.overwrite) {
    throw InvalidInput(fmt::format(
        "--out {}: holds an interrupted run; go on with --resume, or drop it with --overwrite",
        folder_.string()));
  }
  if (finished && !options.overwrite && !IsOf(variant_, folder_)) {
    throw InvalidInput(
        fmt::format("--out {}: holds a run of another scenario, or of other values; name another "
                    "folder, or drop it with --overwrite",
                    folder_.string()));
  }
  // What an earlier run left would pass for this one's.
  fs::remove(CheckpointPath());
  fs::remove(folder_ / "summary.json");
  for (const char* name : {"trajectory", "velocities", "forces", "energies", "overview"}) {
    fs::remove(folder_ / (std::string(name) + ".png"));
  }
  for (std::size_t i = 0; fs::remove(folder_ / fmt::format("plot_{}.png", i)); ++i) continue;
  ReplaceFile(folder_ / "run_scenario.json", variant_.document.dump(2));
  csv_ = std::make_unique<CsvWriter>(folder_ / "timeseries.csv", simulator_.column_names());
  WriteRow();
}

void Run::Resume() {
  const JsonInput saved = JsonInput::ReadFile(CheckpointPath().string());
  saved.RequireKeys({"state", "rows", "csv_size", "seconds", "processor_seconds", "stats"});
  simulator_.Load(saved.At("state").value());
  rows_ = static_cast<long>(saved.Number("rows"));
  seconds_ = saved.Number("seconds");
  processor_seconds_ = saved.Number("processor_seconds");
  const JsonInput stats = saved.At("stats");
  earlier_ = {static_cast<long>(stats.Number("steps")), static_cast<long>(stats.Number("attempts")),
              static_cast<long>(stats.Number("evaluations")),
              static_cast<long>(stats.Number("unconverged"))};
  csv_ = std::make_unique<CsvWriter>(folder_ / "timeseries.csv",
                                     static_cast<std::uintmax_t>(saved.Number("csv_size")));
}

// Of all of the run.
Json Run::StatisticsJson() const {
  const SimulationStatistics now = simulator_.statistics();
  return {{"steps", earlier_.steps + now.steps},
          {"attempts", earlier_.attempts + now.attempts},
          {"evaluations", earlier_.evaluations + now.evaluations},
          {"unconverged", earlier_.unconverged + now.unconverged}};
}

void Run::WriteCheckpoint() {
  const nlohmann::json checkpoint = {{"state", simulator_.Save()},
                                     {"rows", rows_},
                                     {"csv_size", csv_->Flush()},
                                     {"seconds", seconds_},
                                     {"processor_seconds", processor_seconds_},
                                     {"stats", StatisticsJson()}};
  ReplaceFile(CheckpointPath(), checkpoint.dump());
}

void Run::WriteRow() {
  const std::vector<double> row = simulator_.Row();
  if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) {
    throw SimulationError(fmt::format(
        "the motion is no longer finite at t = {} s; take a smaller step, or error control",
        simulator_.time()));
  }
  csv_->Write(row);
  ++rows_;
}

bool Run::Simulate() {
  const StopRequests requests;
  ProgressBar progress(variant_.name.empty() ? file_.title : variant_.name);
  const Clock::time_point start = Clock::now();
  const double before = seconds_, processor_start = ProcessorSeconds();
  const double processor_before = processor_seconds_;
  double last_checkpoint = 0.0;
  while (rows_ <= NumIntervals() && !StopRequested()) {
    const double t = rows_ == NumIntervals()
                         ? scenario_.end_time
                         : static_cast<double>(rows_) * scenario_.output_interval;
    simulator_.AdvanceTo(t, StopRequested);
    if (simulator_.time() < t) break;
    WriteRow();
    seconds_ = before + SecondsSince(start);
    processor_seconds_ = processor_before + ProcessorSeconds() - processor_start;
    progress.Show(t / scenario_.end_time);
    if (seconds_ - before - last_checkpoint > kCheckpointInterval) {
      WriteCheckpoint();
      last_checkpoint = seconds_ - before;
    }
  }
  if (rows_ <= NumIntervals()) {
    WriteCheckpoint();
    return false;
  }
  csv_->Flush();
  return true;
}

// The ledger at the end, and how well it closes against the energy that was put in: what the
// bodies had, what they could fall, and what loads and driven joints did.
Json Run::EnergyJson(const TimeSeries& series) const {
  Json energy;
  for (std::size_t i = 0; i < series.names.size(); ++i) {
    if (series.names[i].rfind("energy.", 0) == 0) {
      energy[series.names[i].substr(7)] = NumberJson(series.columns[i].back());
    }
  }
  const auto measure = [&](const char* expression) { return EvaluateMeasure(expression, series); };
  const double put_in = measure(
      "first(energy.kinetic) + first(energy.potential) - min(energy.potential) + "
      "max(energy.work)");
  const double residual = measure("max(abs(energy.residual))");
  energy["put_in"] = NumberJson(put_in);
  energy["residual_max"] = NumberJson(residual);
  energy["residual_relative"] = NumberJson(put_in > 0.0 ? residual / put_in : residual);
  return energy;
}

nlohmann::json Run::PlotData(const TimeSeries& series) const {
  nlohmann::json plots = nlohmann::json::array();
  const JsonInput input(file_.file, nlohmann::json{{"plots", file_.plots}});
  for (const JsonInput& item : input.Items("plots")) {
    item.RequireKeys({"title", "x", "y", "x_label", "y_label"});
    const std::string x = item.Text("x", "t");
    nlohmann::json curves = nlohmann::json::array();
    for (const JsonInput& y : item.Items("y")) {
      curves.push_back({{"label", y.Text()}, {"y", EvaluateSeries(y.Text(), series)}});
    }
    plots.push_back({{"title", item.Text("title", "")},
                     {"x", EvaluateSeries(x, series)},
                     {"x_label", item.Text("x_label", x == "t" ? "t [s]" : x)},
                     {"y_label", item.Text("y_label", "")},
                     {"curves", curves}});
  }
  return plots;
}

Json MeasureJson(const MeasureResult& measure) {
  const MeasureSpec& spec = *measure.spec;
  Json json = {{"name", spec.name}, {"value", NumberJson(measure.value)}, {"unit", spec.unit}};
  if (spec.paper) {
    json["paper"] = spec.paper_text;
    json["agrees"] = measure.agrees();
  }
  if (!spec.source.empty()) json["source"] = spec.source;
  if (measure.explained() && !measure.agrees()) json["reason"] = spec.reason;
  return json;
}

Json Run::Summary() const {
  const TimeSeries series = ReadTimeSeries(folder_ / "timeseries.csv");
  Json statistics = StatisticsJson();
  statistics["seconds"] = seconds_;
  statistics["processor_seconds"] = processor_seconds_;
  statistics["real_time_factor"] = scenario_.end_time / std::max(processor_seconds_, 1e-9);
  Json summary = {{"scenario", file_.file},
                  {"title", file_.title},
                  {"variant", variant_.name},
                  {"source", file_.source},
                  {"notes", file_.notes},
                  {"end_time", scenario_.end_time},
                  {"error_control", scenario_.integrator.has_error_control()},
                  {"rows", rows_},
                  {"stats", statistics},
                  {"energy", EnergyJson(series)}};
  summary["measures"] = Json::array();
  for (const MeasureResult& measure : TakeMeasures(file_.measures, variant_.name, series)) {
    summary["measures"].push_back(MeasureJson(measure));
  }
  ReplaceFile(folder_ / "plots.json", PlotData(series).dump());
  return summary;
}

}  // namespace

void RunOptions::AddTo(CLI::App* command) {
  command->add_flag("--resume", resume, "Go on with an interrupted run");
  command->add_flag("--overwrite", overwrite, "Drop an interrupted run");
  command->add_flag("--no-plots{false}", plots, "Draw nothing");
}

void RunOptions::Check() const {
  if (resume && overwrite) throw InvalidInput("--resume and --overwrite exclude each other");
}

RunResult RunVariant(const ScenarioFile& file, const Variant& variant, const fs::path& folder,
                     const RunOptions& options) {
  if (options.resume && fs::exists(folder / "summary.json") &&
      !fs::exists(folder / "checkpoint.json") && IsOf(variant, folder)) {
    return {false, JsonOfFile(folder / "summary.json")};
  }
  Run run(file, variant, folder, options);
  if (!run.Simulate()) return {true, nullptr};
  Json summary = run.Summary();
  summary["warnings"] = Json::array();
  if (summary["stats"]["unconverged"] > 0) {
    summary["warnings"].push_back("queries did not reach their tolerance at some outputs");
  }
  if (summary["energy"]["residual_relative"] > kLedgerWarning) {
    summary["warnings"].push_back(
        "the energy ledger does not close: the steps are too large, or the tolerance too loose");
  }
  ReplaceFile(folder / "summary.json", summary.dump(2));
  if (options.plots) {
    const ScriptEnd end = RunPythonScript(kPlotRunScript, {folder.string()});
    if (end == ScriptEnd::kNoMatplotlib) {
      summary["warnings"].push_back(
          "no plots: no python3 with matplotlib is on the PATH; install python3-matplotlib");
    } else if (end == ScriptEnd::kFailed) {
      summary["warnings"].push_back("no plots: drawing them failed");
    }
    ReplaceFile(folder / "summary.json", summary.dump(2));
  }
  fs::remove(folder / "checkpoint.json");
  return {false, summary};
}

}  // namespace volcontact::tool
