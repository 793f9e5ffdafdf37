// Measures: numbers read off a time series by expressions (docs/scenarios.md).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/json_input.h"

namespace volcontact::tool {

/// Named columns of equal length; the first is the time.
struct TimeSeries {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  /// Throws InvalidInput that names the nearest columns when there is none of this name.
  const std::vector<double>& Column(const std::string& name) const;
};

/// The number that an expression gives; NaN where the series has no answer, such as an event that
/// does not happen. Throws InvalidInput that names the place in the expression and the cure.
double EvaluateMeasure(const std::string& expression, const TimeSeries& series);

/// The samples of an expression that gives a series. Throws InvalidInput as EvaluateMeasure does.
std::vector<double> EvaluateSeries(const std::string& expression, const TimeSeries& series);

/// What a scenario wants to know, and what its source says of it.
struct MeasureSpec {
  std::string name, expression, unit, source, reason;
  std::array<double, 2> reason_range = {};  ///< the values that `reason` explains
  /// The range of values that agree with the source.
  std::optional<std::array<double, 2>> paper;
  std::string paper_text;             ///< as it is printed beside ours
  std::vector<std::string> variants;  ///< for which it holds; empty: all
};

/// The "measures" of a scenario. Throws InvalidInput that names the place in the file.
std::vector<MeasureSpec> ReadMeasures(const JsonInput& scenario);

/// A measure taken.
class MeasureResult {
 public:
  MeasureResult(const MeasureSpec* given, double result) : spec(given), value(result) {}

  const MeasureSpec* spec;
  double value;

  bool agrees() const { return spec->paper && IsWithin(*spec->paper); }
  /// Differs for the reason that the scenario states.
  bool explained() const { return !spec->reason.empty() && IsWithin(spec->reason_range); }

 private:
  bool IsWithin(const std::array<double, 2>& range) const {
    return value >= range[0] && value <= range[1];
  }
};

/// Those of the measures that are meant for a variant.
std::vector<MeasureResult> TakeMeasures(const std::vector<MeasureSpec>& measures,
                                        const std::string& variant, const TimeSeries& series);

}  // namespace volcontact::tool
