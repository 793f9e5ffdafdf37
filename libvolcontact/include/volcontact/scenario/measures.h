// Measures: numbers read off a time series by expressions (docs/scenarios.md), beside what a source
// states of them.
//
// Component volcontact::scenario. All functions may be called by any threads at once; an expression
// costs one pass over the samples for each of its operations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/time_series.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The number that an expression gives; NaN where the series has no answer, such as an event that
/// does not happen. Throws InvalidInput that names the place in the expression and the cure.
VOLCONTACT_EXPORT double EvaluateMeasure(const std::string& expression, const TimeSeries& series);

/// The samples of an expression that gives a series. Throws InvalidInput as EvaluateMeasure does.
VOLCONTACT_EXPORT std::vector<double> EvaluateSeries(const std::string& expression,
                                                     const TimeSeries& series);

/// A measure of a scenario, and the value that its source states.
struct MeasureSpec {
  std::string name, expression, unit, source, reason;
  std::array<double, 2> reason_range = {};  ///< the values that `reason` explains
  /// The range of values that agree with the source.
  std::optional<std::array<double, 2>> paper;
  std::string paper_text;             ///< as it is printed beside ours
  std::vector<std::string> variants;  ///< for which it holds; empty: all
};

/// The "measures" of a JSON object, as scenario files have them; other members are left alone.
/// `origin` stands for the file in messages. Throws InvalidInput that names the place in the file.
VOLCONTACT_EXPORT std::vector<MeasureSpec> ParseMeasures(const std::string& text,
                                                         const std::string& origin);

/// A measure taken. Refers to its spec.
class MeasureResult {
 public:
  MeasureResult(const MeasureSpec* given, double result, bool is_reached = true)
      : spec(given), value(result), reached(is_reached) {}

  const MeasureSpec* spec;
  double value;
  /// The run reached the time of the measure; else it neither agrees nor differs.
  bool reached;

  bool agrees() const { return reached && spec->paper && IsWithin(*spec->paper); }
  /// Differs for the reason that the scenario states.
  bool explained() const {
    return reached && !spec->reason.empty() && IsWithin(spec->reason_range);
  }

 private:
  bool IsWithin(const std::array<double, 2>& range) const {
    return value >= range[0] && value <= range[1];
  }
};

/// The results of the measures for a variant. `meant_end` [s] is the end of the run for which they
/// were written: a shorter series does not reach those beyond its end. Throws InvalidInput that
/// names the measure with an expression that cannot be evaluated.
VOLCONTACT_EXPORT std::vector<MeasureResult> TakeMeasures(const std::vector<MeasureSpec>& measures,
                                                          const std::string& variant,
                                                          const TimeSeries& series,
                                                          double meant_end = 0.0);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
