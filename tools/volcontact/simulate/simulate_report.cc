#include "simulate/simulate_report.h"

#include <fmt/format.h>

#include <fstream>

namespace volcontact::tool {

Json JsonOfFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return Json::parse(stream);
}

std::string MeasureValue(const Json& measure) {
  return measure["value"].is_null() ? "none"
                                    : fmt::format("{:.6g}", measure["value"].get<double>());
}

std::string Verdict(const Json& measure) {
  if (!measure.contains("agrees")) return "";
  if (measure["agrees"].get<bool>()) return "agrees";
  return measure.contains("reason") ? "differs: " + measure["reason"].get<std::string>()
                                    : "differs";
}

std::string SimulateText(const ScenarioFile& scenario, const Json& runs, const std::string& out) {
  std::string text = scenario.title + '\n';
  if (!scenario.source.empty()) text += scenario.source + '\n';
  for (const Json& run : runs) {
    const Json& stats = run["stats"];
    const auto variant = run["variant"].get<std::string>();
    text += fmt::format(
        "\n{}{:.4g} s simulated in {:.3g} s, {} steps; energy ledger closes to {:.1e}\n",
        variant.empty() ? "" : variant + ": ", run["end_time"].get<double>(),
        stats["seconds"].get<double>(), stats["steps"].get<long>(),
        run["energy"]["residual_relative"].get<double>());
    for (const Json& measure : run["measures"]) {
      text += fmt::format("  {:<46} {:>12} {:<6}", measure["name"].get<std::string>(),
                          MeasureValue(measure), measure["unit"].get<std::string>());
      if (measure.contains("paper")) {
        text +=
            fmt::format(" source {:<20} {}", measure["paper"].get<std::string>(), Verdict(measure));
      }
      text += '\n';
    }
    for (const Json& warning : run["warnings"]) text += "  " + warning.get<std::string>() + '\n';
  }
  for (const std::string& note : scenario.notes) text += "note: " + note + '\n';
  return text + "written to " + out + '\n';
}

}  // namespace volcontact::tool
