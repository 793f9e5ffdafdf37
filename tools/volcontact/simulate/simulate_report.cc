#include "simulate/simulate_report.h"

#include <fmt/format.h>

#include <cmath>

namespace volcontact::tool {

using scenario::MeasureSummary;
using scenario::RunSummary;

std::string MeasureValue(const MeasureSummary& measure) {
  return std::isfinite(measure.value) ? fmt::format("{:.6g}", measure.value) : "none";
}

std::string Verdict(const MeasureSummary& measure) {
  if (measure.paper.empty()) return "";
  if (measure.agrees) return "agrees";
  return measure.reason.empty() ? "differs" : "differs: " + measure.reason;
}

std::string SimulateText(const scenario::ScenarioFile& file, const std::vector<RunSummary>& runs,
                         const std::string& out) {
  std::string text = file.title + '\n';
  if (!file.source.empty()) text += file.source + '\n';
  for (const RunSummary& run : runs) {
    text += fmt::format(
        "\n{}{:.4g} s simulated in {:.3g} s, {} steps; energy ledger closes to {:.1e}\n",
        run.variant.empty() ? "" : run.variant + ": ", run.end_time, run.seconds,
        run.statistics.steps, run.energy.residual_relative);
    for (const MeasureSummary& measure : run.measures) {
      text +=
          fmt::format("  {:<46} {:>12} {:<6}", measure.name, MeasureValue(measure), measure.unit);
      if (!measure.paper.empty()) {
        text += fmt::format(" source {:<20} {}", measure.paper, Verdict(measure));
      }
      text += '\n';
    }
    for (const std::string& warning : run.warnings) text += "  " + warning + '\n';
  }
  for (const std::string& note : file.notes) text += "note: " + note + '\n';
  return text + "written to " + out + '\n';
}

Json SimulateJson(const std::vector<RunSummary>& runs, bool without_variants) {
  Json list = Json::array();
  for (const RunSummary& run : runs) list.push_back(Json::parse(ToJson(run)));
  return without_variants && list.size() == 1 ? list[0] : Json{{"runs", list}};
}

}  // namespace volcontact::tool
