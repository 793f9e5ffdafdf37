#include "volcontact/scenario/scenario_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>

#include "io/json/json_document.h"
#include "scenario/run_steps.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/advice.h"
#include "volcontact/scenario/simulator.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Wall time between checkpoints [s].
constexpr double kCheckpointInterval = 5.0;

// What a time series can be read back from, and the longest number with its comma, in bytes.
constexpr double kLargestSeries = 2.0 * (std::uintmax_t{1} << 30), kLongestNumber = 25.0;

// Shorter processor times than this one the clock does not show [s].
constexpr double kLeastProcessorTime = 1e-9;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Processor time of this process [s].
double ProcessorSeconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// Whether a folder holds a run of this variant.
bool IsOf(const ScenarioVariant& variant, const fs::path& folder) {
  const fs::path path = folder / "run_scenario.json";
  return fs::exists(path) && JsonDocument::Read(path).Root().value() ==
                                 JsonDocument::Parse(variant.document, "run").Root().value();
}

// The pictures of an earlier run, and the page that shows them.
void RemovePictures(const fs::path& folder) {
  const auto remove = [&folder](const std::string& stem) {
    const bool png = fs::remove(folder / (stem + ".png")),
               svg = fs::remove(folder / (stem + ".svg"));
    return png || svg;
  };
  for (const char* stem : {"trajectory", "velocities", "forces", "energies", "overview"}) {
    remove(stem);
  }
  for (std::size_t i = 0; remove(fmt::format("plot_{}", i)); ++i) continue;
  fs::remove(folder / "index.html");
}

class ScenarioRun {
 public:
  ScenarioRun(const ScenarioFile& file, const ScenarioVariant& variant, const fs::path& folder,
              const RunOptions& options)
      : file_(file),
        variant_(variant),
        folder_(folder),
        options_(options),
        scenario_(ReadScenario(file, variant)),
        simulator_(scenario_),
        advice_(AdviceOf(scenario_)) {
    if (options.advise) {
      for (const std::string& line : scenario_.notes) options.advise(line);
      for (const std::string& line : advice_) options.advise(line);
    }
    CheckExpressions();
    CheckSize();
    PrepareFolder();
  }

  // True when the end was reached.
  bool Simulate();
  // The summary of a run that has reached its end. Also writes what is to be drawn.
  RunSummary Summarize() const;

 private:
  void CheckExpressions() const;
  void CheckSize() const;
  void PrepareFolder();
  void RequireOwnFolder(bool interrupted, bool finished) const;
  void Resume();
  void WriteRow();
  void WriteCheckpoint();
  SimulationStatistics Statistics() const;
  std::string PlotData(const TimeSeries& series) const;

  bool StopRequested() const { return options_.stop && options_.stop(); }
  fs::path CheckpointPath() const { return folder_ / "checkpoint.json"; }

  const ScenarioFile& file_;
  const ScenarioVariant& variant_;
  fs::path folder_;
  const RunOptions& options_;
  Scenario scenario_;
  Simulator simulator_;
  std::vector<std::string> advice_;
  std::unique_ptr<TimeSeriesWriter> series_;
  long rows_ = 0;  // written
  double seconds_ = 0.0, processor_seconds_ = 0.0;
  SimulationStatistics earlier_;  // of what was simulated before the last interruption
};

// Expressions that cannot be evaluated are found at the start rather than at the end of a run.
void ScenarioRun::CheckExpressions() const {
  TimeSeries start;
  start.names = simulator_.column_names();
  start.columns.assign(start.names.size(), {0.0});
  TakeMeasures(file_.measures, variant_.name, start);
  PlotData(start);
}

// So is a time series that could not be read back.
void ScenarioRun::CheckSize() const {
  const double numbers = static_cast<double>(NumIntervals(scenario_) + 1) *
                         static_cast<double>(simulator_.column_names().size());
  if (numbers * kLongestNumber <= kLargestSeries) return;
  throw InvalidInput(fmt::format(
      "{}: {:.3g} numbers are more than a time series can have; take a longer \"output_interval\"",
      file_.file, numbers));
}

void ScenarioRun::RequireOwnFolder(bool interrupted, bool finished) const {
  const auto is_own = [this] { return IsOf(variant_, folder_); };
  if (options_.resume && (interrupted || finished) && !is_own()) {
    throw InvalidInput(
        fmt::format("{}: holds a run of another scenario, or with other values; start again with "
                    "--overwrite instead of --resume",
                    folder_.string()));
  }
  if (interrupted && !options_.resume && !options_.overwrite) {
    throw InvalidInput(fmt::format(
        "{}: holds an interrupted run; continue it with --resume, or delete it with --overwrite",
        folder_.string()));
  }
  if (finished && !interrupted && !options_.overwrite && !is_own()) {
    throw InvalidInput(
        fmt::format("{}: holds a run of another scenario, or with other values; name another "
                    "folder, or delete it with --overwrite",
                    folder_.string()));
  }
}

void ScenarioRun::PrepareFolder() {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_)) {
    throw InvalidInput(fmt::format("{}: is not a folder and cannot be created: {}",
                                   folder_.string(), error.message()));
  }
  const bool interrupted = fs::exists(CheckpointPath());
  RequireOwnFolder(interrupted, fs::exists(folder_ / "summary.json"));
  if (interrupted && options_.resume) {
    Resume();
    return;
  }
  // What an earlier run left would pass for this one's.
  fs::remove(CheckpointPath());
  fs::remove(folder_ / "summary.json");
  RemovePictures(folder_);
  ReplaceFile(folder_ / "run_scenario.json", variant_.document);
  series_ =
      std::make_unique<TimeSeriesWriter>(folder_ / "timeseries.csv", simulator_.column_names());
  WriteRow();
}

void ScenarioRun::Resume() {
  const JsonDocument document = JsonDocument::Read(CheckpointPath());
  const JsonCursor saved = document.Root();
  saved.ExpectObject({"state", "rows", "csv_size", "seconds", "processor_seconds", "stats"});
  const JsonCursor stats = saved.Member("stats");
  const auto count = [](const JsonCursor& at, const char* key) {
    return static_cast<long>(at.Member(key).NumberNotBelowZero());
  };
  rows_ = count(saved, "rows");
  seconds_ = saved.Member("seconds").Number();
  processor_seconds_ = saved.Member("processor_seconds").Number();
  earlier_ = {count(stats, "steps"), count(stats, "attempts"), count(stats, "evaluations"),
              count(stats, "unconverged")};
  const long size = count(saved, "csv_size");
  simulator_.Load(saved.Member("state").value().dump());
  series_ = std::make_unique<TimeSeriesWriter>(folder_ / "timeseries.csv",
                                               static_cast<std::uintmax_t>(size));
}

// The statistics of the whole run.
SimulationStatistics ScenarioRun::Statistics() const {
  const SimulationStatistics now = simulator_.statistics();
  return {earlier_.steps + now.steps, earlier_.attempts + now.attempts,
          earlier_.evaluations + now.evaluations, earlier_.unconverged + now.unconverged};
}

void ScenarioRun::WriteCheckpoint() {
  const SimulationStatistics stats = Statistics();
  const nlohmann::json checkpoint = {{"state", nlohmann::json::parse(simulator_.Save())},
                                     {"rows", rows_},
                                     {"csv_size", series_->Flush()},
                                     {"seconds", seconds_},
                                     {"processor_seconds", processor_seconds_},
                                     {"stats",
                                      {{"steps", stats.steps},
                                       {"attempts", stats.attempts},
                                       {"evaluations", stats.evaluations},
                                       {"unconverged", stats.unconverged}}}};
  ReplaceFile(CheckpointPath(), checkpoint.dump());
}

void ScenarioRun::WriteRow() {
  series_->Write(FiniteRow(&simulator_));
  ++rows_;
}

bool ScenarioRun::Simulate() {
  const Clock::time_point start = Clock::now();
  const double before = seconds_, processor_start = ProcessorSeconds();
  const double processor_before = processor_seconds_;
  double last_checkpoint = 0.0;
  while (rows_ <= NumIntervals(scenario_) && !StopRequested()) {
    const double t = OutputTime(scenario_, rows_);
    simulator_.AdvanceTo(t, [this] { return StopRequested(); });
    if (simulator_.time() < t) break;
    WriteRow();
    seconds_ = before + SecondsSince(start);
    processor_seconds_ = processor_before + ProcessorSeconds() - processor_start;
    if (options_.progress) options_.progress(t / scenario_.end_time);
    if (seconds_ - before - last_checkpoint > kCheckpointInterval) {
      WriteCheckpoint();
      last_checkpoint = seconds_ - before;
    }
  }
  if (rows_ <= NumIntervals(scenario_)) {
    WriteCheckpoint();
    return false;
  }
  series_->Flush();
  return true;
}

std::string ScenarioRun::PlotData(const TimeSeries& series) const {
  nlohmann::json plots = nlohmann::json::array();
  for (const PlotSpec& plot : file_.plots) {
    nlohmann::json curves = nlohmann::json::array();
    for (std::size_t i = 0; i < plot.y.size(); ++i) {
      curves.push_back({{"label", plot.labels.empty() ? plot.y[i] : plot.labels[i]},
                        {"expression", plot.y[i]},
                        {"y", EvaluateSeries(plot.y[i], series)}});
    }
    plots.push_back({{"title", plot.title},
                     {"x_expression", plot.x},
                     {"x", EvaluateSeries(plot.x, series)},
                     {"x_label", plot.x_label},
                     {"y_label", plot.y_label},
                     {"curves", curves}});
  }
  return plots.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

MeasureSummary SummaryOf(const MeasureResult& measure, bool is_compared) {
  const MeasureSpec& spec = *measure.spec;
  MeasureSummary summary;
  summary.name = spec.name;
  summary.unit = spec.unit;
  summary.value = measure.value;
  summary.reached = measure.reached;
  summary.source = spec.source;
  if (spec.paper) {
    summary.paper = spec.paper_text;
    summary.compared = is_compared;
    summary.agrees = is_compared && measure.agrees();
  }
  if (is_compared && measure.explained() && !measure.agrees()) summary.reason = spec.reason;
  return summary;
}

RunSummary ScenarioRun::Summarize() const {
  const TimeSeries series = ReadTimeSeries(folder_ / "timeseries.csv");
  RunSummary summary;
  summary.scenario = file_.file;
  summary.folder = fs::absolute(file_.file).parent_path().string();
  summary.title = file_.title;
  summary.variant = variant_.name;
  summary.source = file_.source;
  summary.notes = file_.notes;
  summary.end_time = scenario_.end_time;
  summary.error_control = scenario_.integrator.has_error_control();
  summary.rows = rows_;
  summary.statistics = Statistics();
  summary.seconds = seconds_;
  summary.processor_seconds = processor_seconds_;
  summary.real_time_factor = scenario_.end_time / std::max(processor_seconds_, kLeastProcessorTime);
  summary.energy = EnergyOf(series);
  summary.contacts = simulator_.Contacts();
  for (ContactRecord& contact : summary.contacts) {
    const std::vector<double>& forces = series.Column(contact.name + ".fn");
    contact.greatest_at_outputs = *std::max_element(forces.begin(), forces.end());
    // Rows lie between steps, too, and have the sum over pairs of cells.
    contact.greatest_force = std::max(contact.greatest_force, contact.greatest_at_outputs);
  }
  for (const MeasureResult& measure :
       TakeMeasures(file_.measures, variant_.name, series, variant_.end_time)) {
    summary.measures.push_back(SummaryOf(measure, !file_.is_changed));
  }
  summary.advice = advice_;
  summary.warnings = scenario_.notes;
  for (const std::string& warning : simulator_.Warnings()) summary.warnings.push_back(warning);
  if (summary.statistics.unconverged > 0) {
    summary.warnings.push_back(
        fmt::format("queries did not reach their tolerance at {} of {} outputs",
                    summary.statistics.unconverged, summary.rows));
  }
  summary.failure = LedgerFailure(summary.energy, scenario_);
  ReplaceFile(folder_ / "plots.json", PlotData(series));
  return summary;
}

}  // namespace

std::optional<RunSummary> RunVariant(const ScenarioFile& file, const ScenarioVariant& variant,
                                     const fs::path& folder, const RunOptions& options) {
  constexpr int kIndent = 2;
  if (options.resume && options.overwrite) {
    throw InvalidInput("--resume and --overwrite exclude each other; give one");
  }
  const fs::path summary_path = folder / "summary.json", checkpoint = folder / "checkpoint.json";
  if (options.resume && fs::exists(summary_path) && !fs::exists(checkpoint) &&
      IsOf(variant, folder)) {
    return ReadRunSummary(summary_path);
  }
  ScenarioRun run(file, variant, folder, options);
  if (!run.Simulate()) return std::nullopt;
  RunSummary summary = run.Summarize();
  ReplaceFile(summary_path, ToJson(summary, kIndent));
  if (options.finish) {
    for (const std::string& warning : options.finish(folder)) summary.warnings.push_back(warning);
    ReplaceFile(summary_path, ToJson(summary, kIndent));
  }
  fs::remove(checkpoint);
  return summary;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
