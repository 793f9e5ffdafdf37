#include "view/run_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/json/json_document.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/run_summary.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

namespace fs = std::filesystem;

constexpr char kScenario[] = "run_scenario.json", kSeries[] = "timeseries.csv";

// Folders of variants in that of a scenario.
std::vector<std::string> RunsIn(const fs::path& folder) {
  std::vector<std::string> runs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (fs::exists(entry.path() / kScenario)) runs.push_back(entry.path().filename().string());
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

void RequireRun(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw InvalidInput(fmt::format(
        "{}: is not a folder; name one that `volcontact simulate` has written", folder.string()));
  }
  if (fs::exists(folder / kScenario) && fs::exists(folder / kSeries)) return;
  const std::vector<std::string> runs = RunsIn(folder);
  if (!runs.empty()) {
    throw InvalidInput(fmt::format("{}: holds runs of several variants; name the folder of one: {}",
                                   folder.string(), fmt::join(runs, " ")));
  }
  throw InvalidInput(fmt::format(
      "{}: holds no run; name a folder that `volcontact simulate` has written", folder.string()));
}

// All values of "file" anywhere below.
void CollectFiles(const nlohmann::json& at, std::vector<std::string>* files) {
  for (const auto& [key, value] : at.items()) {
    if (at.is_object() && key == "file" && value.is_string()) files->push_back(value);
    if (value.is_structured()) CollectFiles(value, files);
  }
}

// Numbers must be finite as floats, and so must their squares.
constexpr double kGreatestNumber = 1e18;

bool CanBeDrawn(double x) { return std::abs(x) <= kGreatestNumber; }

// Ends the series before the first row in which time, a body or a contact has a number that cannot
// be drawn.
void CutRows(const fs::path& file, RunFiles* run) {
  std::vector<std::string> prefixes;
  for (const scenario::BodySpec& body : run->scenario.bodies) prefixes.push_back(body.name + ".");
  for (const scenario::ContactSpec& contact : run->scenario.contacts) {
    prefixes.push_back(contact.name + ".");
  }
  scenario::TimeSeries& series = run->series;
  std::size_t end = series.columns.front().size();
  std::string told;
  for (std::size_t c = 0; c < series.names.size(); ++c) {
    const std::string& name = series.names[c];
    const bool counts =
        name == "t" || std::any_of(prefixes.begin(), prefixes.end(),
                                   [&](const std::string& p) { return name.starts_with(p); });
    const auto first = series.columns[c].begin();
    const auto last = first + static_cast<std::ptrdiff_t>(end);
    const auto at = std::find_if_not(first, last, CanBeDrawn);
    if (!counts || at == last) continue;
    end = static_cast<std::size_t>(at - first);
    told = fmt::format("{}: row {}: {} is {}", file.string(), end + 1, name, *at);
  }
  if (told.empty()) return;
  if (end == 0) {
    throw InvalidInput(told + ", which cannot be drawn, and no row is before it; run it again");
  }
  for (std::vector<double>& column : series.columns) column.resize(end);
  run->notes.push_back(told + ", which cannot be drawn: the run is shown up to the row before");
}

// How the run ended, as the folder shows.
void ReadOutcome(const fs::path& folder, RunFiles* run) {
  if (fs::exists(folder / "summary.json")) {
    const scenario::RunSummary summary = scenario::ReadRunSummary(folder / "summary.json");
    run->variant = summary.variant;
    if (!summary.failure.empty()) run->state = "run failed: " + summary.failure;
  } else {
    const std::string name = folder.filename().empty() ? folder.parent_path().filename().string()
                                                       : folder.filename().string();
    for (const scenario::ScenarioVariant& variant : run->file.variants) {
      if (variant.name == name) run->variant = name;
    }
  }
  if (fs::exists(folder / "checkpoint.json") && !run->series.columns.front().empty()) {
    run->state = fmt::format("interrupted at {:.6g} s of {:.6g} s",
                             run->series.columns.front().back(), run->scenario.end_time);
  }
  if (!run->state.empty()) run->notes.push_back(folder.string() + ": " + run->state);
}

// The folder from which the solids' files are found.
fs::path FolderOfSolids(const fs::path& folder, const fs::path& solids,
                        const std::string& document) {
  std::vector<std::string> files;
  CollectFiles(nlohmann::json::parse(document).value("bodies", nlohmann::json::array()), &files);
  std::vector<fs::path> places = {folder};
  if (!solids.empty()) places.insert(places.begin(), solids);
  if (fs::exists(folder / "summary.json")) {
    const scenario::RunSummary summary = scenario::ReadRunSummary(folder / "summary.json");
    places.push_back(fs::path(summary.scenario).parent_path());
    places.push_back(summary.folder);
  }
  for (const fs::path& place : places) {
    if (std::all_of(files.begin(), files.end(),
                    [&](const std::string& file) { return fs::exists(place / file); })) {
      return place;
    }
  }
  throw InvalidInput(
      fmt::format("{}: the solid's file {} is neither beside the run nor where the scenario was; "
                  "name its folder with --solids",
                  (folder / kScenario).string(), files.front()));
}

}  // namespace

RunFiles ReadRun(const fs::path& folder, const fs::path& solids) {
  RequireRun(folder);
  if (!solids.empty() && !fs::is_directory(solids)) {
    throw InvalidInput(fmt::format(
        "--solids {}: is not a folder; name the one with the files of solids", solids.string()));
  }
  RunFiles run;
  run.file = scenario::ReadScenarioFile((folder / kScenario).string());
  // The values of the variant that ran are in their places there.
  const scenario::ScenarioVariant variant{
      "", JsonDocument::Read(folder / kScenario).Root().value().dump()};
  run.series = scenario::ReadTimeSeries(folder / kSeries);
  run.file.file = (FolderOfSolids(folder, solids, variant.document) / kScenario).string();
  run.scenario = scenario::ReadScenario(run.file, variant);
  ReadOutcome(folder, &run);
  CutRows(folder / kSeries, &run);
  return run;
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
