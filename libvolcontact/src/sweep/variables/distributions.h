// Distributions of single numbers, by the inverse of what they accumulate to.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "io/json/json_cursor.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Equally likely between two ends.
struct UniformRange {
  double low, high;
};

/// The logarithm equally likely between those of two positive ends.
struct LogUniformRange {
  double low, high;
};

/// Gaussian with this mean and standard deviation, of which only what lies between the ends is
/// taken; they may be infinite.
struct NormalRange {
  double mean, deviation, low, high;
};

/// One of some values, each with a weight.
struct WeightedChoice {
  std::vector<double> values;
  std::vector<double> shares;  ///< of the values up to each, ascending to 1
};

using Distribution = std::variant<UniformRange, LogUniformRange, NormalRange, WeightedChoice>;

/// The number below which a share u in [0, 1) of the distribution lies.
double Quantile(const Distribution& distribution, double u);

/// What {"uniform": [..]}, {"log_uniform": [..]}, {"normal": {..}} and {"choice": [..]} say;
/// nothing of other objects. Throws InvalidInput that names the place.
std::optional<Distribution> ReadDistribution(const JsonCursor& variable);

/// A range [low, high] with low < high. Throws InvalidInput for another.
UniformRange ReadRange(const JsonCursor& input);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
