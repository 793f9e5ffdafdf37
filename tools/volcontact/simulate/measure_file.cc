// The measures of a scenario file.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "simulate/measures.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

std::vector<std::string> ReadVariants(const JsonInput& input) {
  if (!input.Has("variant")) return {};
  const JsonInput at = input.At("variant");
  if (at.value().is_string()) return {at.Text()};
  std::vector<std::string> names;
  for (const JsonInput& item : at.Items()) names.push_back(item.Text());
  return names;
}

std::array<double, 2> ReadRange(const JsonInput& at, const char* expected) {
  const std::vector<double> range = at.Numbers();
  if (range.size() != 2 || range[0] > range[1]) throw InvalidInput(at.Message(expected));
  return {range[0], range[1]};
}

// What the source says, as a range and as a text.
void ReadPaper(const JsonInput& input, MeasureSpec* measure) {
  if (!input.Has("paper")) return;
  const JsonInput paper = input.At("paper");
  if (paper.value().is_array()) {
    const auto range = ReadRange(paper, "a number, or a range [low, high], is expected");
    measure->paper = range;
    measure->paper_text = fmt::format("{:.6g} to {:.6g}", range[0], range[1]);
    return;
  }
  const double value = paper.Number(), tolerance = input.Number("tolerance");
  if (!(tolerance >= 0.0)) {
    throw InvalidInput(input.At("tolerance").Message("it must not be negative"));
  }
  measure->paper = {value - tolerance, value + tolerance};
  measure->paper_text = fmt::format("{:.6g} ± {:.3g}", value, tolerance);
}

void ReadReason(const JsonInput& input, MeasureSpec* measure) {
  if (input.Has("reason") != input.Has("reason_range")) {
    throw InvalidInput(input.Message(
        "\"reason\" and \"reason_range\", the values [low, high] that it explains, go together"));
  }
  if (!input.Has("reason")) return;
  measure->reason = input.At("reason").Text();
  measure->reason_range = ReadRange(input.At("reason_range"), "a range [low, high] is expected");
}

}  // namespace

std::vector<MeasureSpec> ReadMeasures(const JsonInput& scenario) {
  std::vector<MeasureSpec> measures;
  for (const JsonInput& input : scenario.Items("measures")) {
    input.RequireKeys({"name", "value", "unit", "paper", "tolerance", "source", "reason",
                       "reason_range", "variant", "note"});
    MeasureSpec measure;
    measure.name = input.At("name").Text();
    measure.expression = input.At("value").Text();
    measure.unit = input.Text("unit", "");
    measure.source = input.Text("source", "");
    ReadReason(input, &measure);
    measure.variants = ReadVariants(input);
    ReadPaper(input, &measure);
    measures.push_back(std::move(measure));
  }
  return measures;
}

std::vector<MeasureResult> TakeMeasures(const std::vector<MeasureSpec>& measures,
                                        const std::string& variant, const TimeSeries& series) {
  std::vector<MeasureResult> results;
  for (const MeasureSpec& measure : measures) {
    const auto& names = measure.variants;
    if (!names.empty() && std::find(names.begin(), names.end(), variant) == names.end()) continue;
    try {
      results.push_back({&measure, EvaluateMeasure(measure.expression, series)});
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("the measure \"{}\": {}", measure.name, error.what()));
    }
  }
  return results;
}

}  // namespace volcontact::tool
