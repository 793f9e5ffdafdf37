#include "simulate/simulate_report.h"

#include <fmt/format.h>

#include <cmath>

#include "volcontact/io/printable.h"

namespace volcontact::tool {

namespace {

// The longest sentence in a file; names and titles are cut sooner.
constexpr std::size_t kLongestNote = 1000;
// Outputs that follow a contact show at least this share of its greatest force.
constexpr double kSeen = 0.5;

}  // namespace

using scenario::ContactRecord;
using scenario::MeasureSummary;
using scenario::RunSummary;

std::string MeasureValue(const MeasureSummary& measure) {
  return std::isfinite(measure.value) ? fmt::format("{:.6g}", measure.value) : "–";
}

std::string Verdict(const MeasureSummary& measure) {
  if (measure.paper.empty()) return "";
  if (!measure.reached) return "not reached";
  if (!measure.compared) return "not compared: --set changed the experiment";
  if (measure.agrees) return "agrees";
  return measure.reason.empty() ? "differs" : "differs: " + measure.reason;
}

std::string ContactText(const RunSummary& run) {
  int begun = 0;
  const ContactRecord* hardest = nullptr;
  for (const ContactRecord& contact : run.contacts) {
    begun += contact.begun;
    if (hardest == nullptr || contact.greatest_force > hardest->greatest_force) hardest = &contact;
  }
  if (begun == 0) return "0 times";
  std::string text =
      fmt::format("{} time{}, normal force up to {:.4g} N ({})", begun, begun == 1 ? "" : "s",
                  hardest->greatest_force, Shown(hardest->name));
  if (hardest->greatest_at_outputs < kSeen * hardest->greatest_force) {
    text += fmt::format(", at outputs up to {:.4g} N: most of an impact lies between them",
                        hardest->greatest_at_outputs);
  }
  return text;
}

std::vector<std::string> FailureLines(const std::vector<SimulatedRun>& runs) {
  std::vector<std::string> lines;
  for (const SimulatedRun& run : runs) {
    if (run.failure.empty()) continue;
    lines.push_back((run.variant.empty() ? "" : "variant " + Shown(run.variant) + ": ") +
                    run.failure);
  }
  return lines;
}

namespace {

std::string RunText(const RunSummary& run) {
  std::string text =
      fmt::format("\n{}{:.4g} s simulated in {:.3g} s, {} steps; energy ledger {} {:.1e}\n",
                  run.variant.empty() ? "" : Shown(run.variant) + ": ", run.end_time, run.seconds,
                  run.statistics.steps, run.failure.empty() ? "closes to" : "MISSES BY",
                  run.energy.residual_relative);
  if (!run.contacts.empty()) text += "  contacts began " + ContactText(run) + '\n';
  for (const MeasureSummary& measure : run.measures) {
    text += fmt::format("  {:<46} {:>12} {:<6}", Shown(measure.name), MeasureValue(measure),
                        Shown(measure.unit));
    if (!measure.paper.empty()) {
      text += fmt::format(" source {:<20} {}", Shown(measure.paper),
                          Shown(Verdict(measure), kLongestNote));
    }
    text += '\n';
  }
  for (const std::string& warning : run.warnings)
    text += "  " + Shown(warning, kLongestNote) + '\n';
  return text;
}

}  // namespace

std::string SimulateText(const scenario::ScenarioFile& file, const std::vector<SimulatedRun>& runs,
                         const std::string& out) {
  std::string text;
  for (const SimulatedRun& run : runs) {
    if (run.failure.empty()) continue;
    text +=
        fmt::format("FAILED{}: {}\n", run.variant.empty() ? "" : ", variant " + Shown(run.variant),
                    Shown(run.failure, kLongestNote));
  }
  text += Shown(file.title) + '\n';
  if (!file.source.empty()) text += Shown(file.source, kLongestNote) + '\n';
  for (const SimulatedRun& run : runs) {
    if (run.summary) text += RunText(*run.summary);
  }
  for (const std::string& note : file.notes) text += "note: " + Shown(note, kLongestNote) + '\n';
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
