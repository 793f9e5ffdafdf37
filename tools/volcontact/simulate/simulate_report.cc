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
  if (!measure.reached) return "not reached";
  if (measure.agrees) return "agrees";
  return measure.reason.empty() ? "differs" : "differs: " + measure.reason;
}

std::string FailuresText(const std::vector<SimulatedRun>& runs) {
  std::string text;
  for (const SimulatedRun& run : runs) {
    if (run.failure.empty()) continue;
    text += fmt::format("volcontact: {}{}\n",
                        run.variant.empty() ? "" : "variant " + run.variant + ": ", run.failure);
  }
  return text;
}

namespace {

std::string RunText(const RunSummary& run) {
  std::string text =
      fmt::format("\n{}{:.4g} s simulated in {:.3g} s, {} steps; energy ledger {} {:.1e}\n",
                  run.variant.empty() ? "" : run.variant + ": ", run.end_time, run.seconds,
                  run.statistics.steps, run.failure.empty() ? "closes to" : "MISSES BY",
                  run.energy.residual_relative);
  for (const MeasureSummary& measure : run.measures) {
    text += fmt::format("  {:<46} {:>12} {:<6}", measure.name, MeasureValue(measure), measure.unit);
    if (!measure.paper.empty()) {
      text += fmt::format(" source {:<20} {}", measure.paper, Verdict(measure));
    }
    text += '\n';
  }
  for (const std::string& warning : run.warnings) text += "  " + warning + '\n';
  return text;
}

}  // namespace

std::string SimulateText(const scenario::ScenarioFile& file, const std::vector<SimulatedRun>& runs,
                         const std::string& out) {
  std::string text;
  for (const SimulatedRun& run : runs) {
    if (run.failure.empty()) continue;
    text += fmt::format("FAILED{}: {}\n", run.variant.empty() ? "" : ", variant " + run.variant,
                        run.failure);
  }
  text += file.title + '\n';
  if (!file.source.empty()) text += file.source + '\n';
  for (const SimulatedRun& run : runs) {
    if (run.summary) text += RunText(*run.summary);
  }
  for (const std::string& note : file.notes) text += "note: " + note + '\n';
  return text + "written to " + out + '\n';
}

Json SimulateJson(const std::string& file, const std::vector<SimulatedRun>& runs,
                  bool without_variants) {
  Json list = Json::array();
  for (const SimulatedRun& run : runs) {
    if (run.summary) {
      list.push_back(Json::parse(ToJson(*run.summary)));
    } else {
      list.push_back({{"schema", kAnswerSchema},
                      {"ok", false},
                      {"failure", run.failure},
                      {"scenario", file},
                      {"variant", run.variant}});
    }
  }
  return without_variants && list.size() == 1 ? list[0] : Json{{"runs", list}};
}

}  // namespace volcontact::tool
