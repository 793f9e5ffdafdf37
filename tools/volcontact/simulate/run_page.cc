#include "simulate/run_page.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "simulate/simulate_report.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/scenario/report.h"

namespace volcontact::tool {
namespace {

namespace fs = std::filesystem;

using scenario::MeasureSummary;
using scenario::Report;
using scenario::ReportHeading;
using scenario::ReportImage;
using scenario::ReportLinks;
using scenario::ReportList;
using scenario::ReportParagraph;
using scenario::ReportTable;
using scenario::RunSummary;

struct RunPicture {
  const char* stem;
  const char* caption;
};

constexpr RunPicture kRunPictures[] = {{"trajectory", "Where the bodies are"},
                                       {"velocities", "How fast they are"},
                                       {"forces", "What acts between them"},
                                       {"energies", "Where the energy is, and where it goes"}};

// The file of a picture in a folder: that with the most pixels to show it by.
std::optional<std::string> PictureFile(const fs::path& folder, const std::string& stem) {
  for (const char* extension : {".png", ".svg"}) {
    if (fs::exists(folder / (stem + extension))) return stem + extension;
  }
  return std::nullopt;
}

std::string TitleOf(const RunSummary& run) {
  const std::string title = run.title.empty() ? "A run" : run.title;
  return run.variant.empty() ? title : title + " – " + run.variant;
}

void AddPicture(const fs::path& folder, const std::string& stem, const std::string& caption,
                Report* report) {
  const auto file = PictureFile(folder, stem);
  if (!file) return;
  // Both kinds: that with lines is for print.
  const bool both = *file == stem + ".png" && fs::exists(folder / (stem + ".svg"));
  report->push_back(ReportImage{*file, caption, "", both ? stem + ".svg" : ""});
}

// Readers of a table need no unit of a ratio.
std::string UnitOf(const MeasureSummary& measure) {
  return measure.unit == "1" ? std::string() : measure.unit;
}

void AddMeasures(const RunSummary& run, Report* report) {
  if (run.measures.empty()) return;
  ReportTable table{{"measure", "the source says", "ours", "unit", "verdict", "where"}, {}};
  for (const MeasureSummary& measure : run.measures) {
    table.rows.push_back({measure.name, measure.paper, MeasureValue(measure), UnitOf(measure),
                          Verdict(measure), measure.source});
  }
  report->push_back(ReportHeading{2, "What was measured"});
  report->push_back(std::move(table));
}

void AddPictures(const fs::path& folder, Report* report) {
  Report pictures;
  for (const RunPicture& picture : kRunPictures) {
    AddPicture(folder, picture.stem, picture.caption, &pictures);
  }
  for (int i = 0; PictureFile(folder, fmt::format("plot_{}", i)); ++i) {
    AddPicture(folder, fmt::format("plot_{}", i), fmt::format("Plot {} of the scenario", i + 1),
               &pictures);
  }
  if (pictures.empty()) return;
  report->push_back(ReportHeading{2, "Pictures"});
  report->insert(report->end(), pictures.begin(), pictures.end());
}

void AddStatistics(const RunSummary& run, Report* report) {
  report->push_back(ReportHeading{2, "The run"});
  report->push_back(ReportTable{
      {"quantity", "value"},
      {{"simulated", fmt::format("{:.6g} s", run.end_time)},
       {"computed in",
        fmt::format("{:.3g} s, {:.3g} of real time", run.processor_seconds, run.real_time_factor)},
       {"steps", fmt::format("{}", run.statistics.steps)},
       {"rows of the time series", fmt::format("{}", run.rows)},
       {"contacts began", ContactText(run)},
       {"energy put in", fmt::format("{:.6g} J", run.energy.put_in)},
       {"what the energy ledger misses",
        fmt::format("{:.2g} J, {:.1e} of what was put in", run.energy.residual_max,
                    run.energy.residual_relative)}}});
}

void AddRemarks(const char* heading, const std::vector<std::string>& remarks, Report* report) {
  if (remarks.empty()) return;
  report->push_back(ReportHeading{2, heading});
  report->push_back(ReportList{remarks});
}

// What lies beside the page.
ReportLinks Files(const fs::path& folder) {
  ReportLinks list;
  for (const char* name :
       {"view.html", "timeseries.csv", "summary.json", "run_scenario.json", "plots.json"}) {
    if (!fs::exists(folder / name)) continue;
    const bool view = std::string(name) == "view.html";
    list.links.push_back({view ? "the run in motion" : name, name});
  }
  // Its panels are those of the pictures on the page.
  for (const char* name : {"overview.png", "overview.svg"}) {
    if (fs::exists(folder / name)) list.links.push_back({name, name});
  }
  return list;
}

}  // namespace

void WriteRunPage(const RunSummary& run, const fs::path& folder) {
  Report report;
  report.push_back(ReportHeading{1, TitleOf(run)});
  if (!run.failure.empty()) report.push_back(ReportParagraph{"FAILED: " + run.failure});
  if (!run.source.empty()) report.push_back(ReportParagraph{run.source + "."});
  ReportLinks links = Files(folder);
  if (!run.variant.empty()) links.links.push_back({"all variants", "../index.html"});
  report.push_back(std::move(links));
  if (!fs::exists(folder / "view.html")) {
    report.push_back(ReportParagraph{
        "For a page of the run in motion: volcontact view RUN --out RUN/view.html, RUN this "
        "folder."});
  }
  AddRemarks("Warnings", run.warnings, &report);
  AddMeasures(run, &report);
  AddPictures(folder, &report);
  AddStatistics(run, &report);
  AddRemarks("Advice", run.advice, &report);
  AddRemarks("Notes", run.notes, &report);
  ReplaceFile(folder / "index.html", scenario::ToHtml(report));
}

void WriteVariantsPage(const scenario::ScenarioFile& file, const fs::path& folder) {
  if (file.variants.front().name.empty()) return;
  Report report;
  report.push_back(ReportHeading{1, file.title.empty() ? "Variants of a scenario" : file.title});
  if (!file.source.empty()) report.push_back(ReportParagraph{file.source + "."});
  ReportTable table{{"variant", "measure", "the source says", "ours", "unit", "verdict"}, {}};
  ReportLinks links;
  Report pictures;
  for (const scenario::ScenarioVariant& variant : file.variants) {
    const fs::path summary = folder / variant.name / "summary.json";
    if (!fs::exists(summary)) continue;
    const RunSummary run = scenario::ReadRunSummary(summary);
    const std::string page = variant.name + "/index.html";
    links.links.push_back({variant.name, page});
    for (const MeasureSummary& measure : run.measures) {
      table.rows.push_back({variant.name, measure.name, measure.paper, MeasureValue(measure),
                            UnitOf(measure), Verdict(measure)});
    }
    if (const auto picture = PictureFile(folder / variant.name, "overview")) {
      pictures.push_back(ReportImage{variant.name + '/' + *picture, variant.name, page});
    }
  }
  report.push_back(std::move(links));
  if (!table.rows.empty()) {
    report.push_back(ReportHeading{2, "What was measured"});
    report.push_back(std::move(table));
  }
  if (!pictures.empty()) report.push_back(ReportHeading{2, "Overviews"});
  report.insert(report.end(), pictures.begin(), pictures.end());
  AddRemarks("Notes", file.notes, &report);
  ReplaceFile(folder / "index.html", scenario::ToHtml(report));
}

}  // namespace volcontact::tool
