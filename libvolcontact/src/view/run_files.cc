#include "view/run_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/json_document.h"
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
        "{}: is no folder; name one that `volcontact simulate` has written", folder.string()));
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
  RunFiles run;
  run.file = scenario::ReadScenarioFile((folder / kScenario).string());
  // The values of the variant that ran are in their places there.
  const scenario::ScenarioVariant variant{
      "", JsonDocument::Read(folder / kScenario).Root().value().dump()};
  run.series = scenario::ReadTimeSeries(folder / kSeries);
  run.file.file = (FolderOfSolids(folder, solids, variant.document) / kScenario).string();
  run.scenario = scenario::ReadScenario(run.file, variant);
  return run;
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
