#include "volcontact/scenario/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/json/json_document.h"
#include "scenario/scenario_parts.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// The last output may miss the end by its rounding.
constexpr double kTimeSlack = 1e-12;

std::vector<std::string> ReadVariants(const JsonCursor& input) {
  if (!input.Has("variant")) return {};
  const JsonCursor at = input.Member("variant");
  if (at.value().is_string()) return {at.String()};
  std::vector<std::string> names;
  for (const JsonCursor& item : at.Items()) names.push_back(item.String());
  return names;
}

std::array<double, 2> ReadRange(const JsonCursor& at, const char* expected) {
  const std::vector<double> range = at.Numbers();
  if (range.size() != 2 || range[0] > range[1]) at.Fail(expected);
  return {range[0], range[1]};
}

// What the source says, as a range and as a text.
void ReadPaper(const JsonCursor& input, MeasureSpec* measure) {
  if (!input.Has("paper")) return;
  const JsonCursor paper = input.Member("paper");
  if (paper.value().is_array()) {
    const auto range = ReadRange(paper, "a number, or a range [low, high], is expected");
    measure->paper = range;
    measure->paper_text = fmt::format("{:.6g} to {:.6g}", range[0], range[1]);
    return;
  }
  const double value = paper.Number(), tolerance = input.Member("tolerance").NumberNotBelowZero();
  measure->paper = {value - tolerance, value + tolerance};
  measure->paper_text = fmt::format("{:.6g} ± {:.3g}", value, tolerance);
}

void ReadReason(const JsonCursor& input, MeasureSpec* measure) {
  if (input.Has("reason") != input.Has("reason_range")) {
    input.Fail(
        "\"reason\" and \"reason_range\", the values [low, high] that it explains, go together");
  }
  if (!input.Has("reason")) return;
  measure->reason = input.Member("reason").String();
  measure->reason_range =
      ReadRange(input.Member("reason_range"), "a range [low, high] is expected");
}

}  // namespace

std::vector<MeasureSpec> ReadMeasures(const JsonCursor& scenario) {
  std::vector<MeasureSpec> measures;
  for (const JsonCursor& input : scenario.Items("measures")) {
    input.ExpectObject({"name", "value", "unit", "paper", "tolerance", "source", "reason",
                        "reason_range", "variant", "note"});
    MeasureSpec measure;
    measure.name = input.Member("name").String();
    measure.expression = input.Member("value").String();
    measure.unit = input.String("unit", "");
    measure.source = input.String("source", "");
    ReadReason(input, &measure);
    measure.variants = ReadVariants(input);
    ReadPaper(input, &measure);
    measures.push_back(std::move(measure));
  }
  return measures;
}

std::vector<MeasureSpec> ParseMeasures(const std::string& text, const std::string& origin) {
  return ReadMeasures(JsonDocument::Parse(text, origin).Root());
}

std::vector<MeasureResult> TakeMeasures(const std::vector<MeasureSpec>& measures,
                                        const std::string& variant, const TimeSeries& series,
                                        double meant_end) {
  const double end = series.columns[0].back() * (1.0 + kTimeSlack);
  std::vector<MeasureResult> results;
  for (const MeasureSpec& measure : measures) {
    const auto& names = measure.variants;
    if (!names.empty() && std::find(names.begin(), names.end(), variant) == names.end()) continue;
    try {
      const TimedValue taken = EvaluateTimed(measure.expression, series);
      results.emplace_back(&measure, taken.value, std::min(taken.until, meant_end) <= end);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("the measure \"{}\": {}", measure.name, error.what()));
    }
  }
  return results;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
