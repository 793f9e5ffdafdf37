#include "sweep/variables/distributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSqrt2 = 1.4142135623730951;
// Stands for a share of 0, half as much as the smallest that is drawn beside it.
constexpr double kLeastShare = 0x1p-54;

// In doubles throughout: long doubles are slower, and not the same on all processors.
using DoublePolicy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

// The share of a standard Gaussian below z; relatively exact for z < 0.
double NormalShare(double z) {
  if (std::isinf(z)) return z < 0.0 ? 0.0 : 1.0;
  return 0.5 * boost::math::erfc(-z / kSqrt2, DoublePolicy());
}

double NormalQuantile(double share) {
  return -kSqrt2 * boost::math::erfc_inv(2.0 * std::max(share, kLeastShare), DoublePolicy());
}

// The quantile of a standard Gaussian between two ends. The lower end lies nearer to the middle, or
// on the left: there shares are small numbers rather than numbers near 1.
double TruncatedQuantile(double low, double high, double u) {
  const double share = NormalShare(low);
  const double p = share + u * (NormalShare(high) - share);
  // Beyond what doubles hold, the tail falls so steeply that all of it lies at the end.
  if (p < std::numeric_limits<double>::min()) return high;
  return p >= 1.0 ? high : -kSqrt2 * boost::math::erfc_inv(2.0 * p, DoublePolicy());
}

double QuantileOf(const UniformRange& range, double u) {
  return std::clamp(range.low + u * (range.high - range.low), range.low, range.high);
}

double QuantileOf(const LogUniformRange& range, double u) {
  const double low = std::log(range.low);
  return std::clamp(std::exp(low + u * (std::log(range.high) - low)), range.low, range.high);
}

double QuantileOf(const NormalRange& normal, double u) {
  if (normal.low == -kInfinity && normal.high == kInfinity) {
    return normal.mean + normal.deviation * NormalQuantile(u);
  }
  const double low = (normal.low - normal.mean) / normal.deviation;
  const double high = (normal.high - normal.mean) / normal.deviation;
  // A share of 0 would be an end that is infinite.
  const double inner = std::max(u, kLeastShare);
  const double z = low <= 0.0 ? TruncatedQuantile(low, high, inner)
                              : -TruncatedQuantile(-high, -low, 1.0 - inner);
  return std::clamp(normal.mean + normal.deviation * z, normal.low, normal.high);
}

double QuantileOf(const WeightedChoice& choice, double u) {
  const auto at = std::upper_bound(choice.shares.begin(), choice.shares.end(), u);
  const auto last = static_cast<std::ptrdiff_t>(choice.values.size()) - 1;
  return choice.values[static_cast<std::size_t>(std::min(at - choice.shares.begin(), last))];
}

NormalRange ReadNormalRange(const JsonCursor& input) {
  input.ExpectObject({"mean", "sd", "within"});
  NormalRange normal{input.Number("mean", 0.0), input.Member("sd").PositiveNumber(), -kInfinity,
                     kInfinity};
  if (const auto within = input.Find("within")) {
    const UniformRange range = ReadRange(*within);
    normal.low = range.low;
    normal.high = range.high;
    // Doubles have no quantile of less.
    constexpr double kFarthest = 37.0;
    if ((range.low - normal.mean) / normal.deviation > kFarthest ||
        (normal.mean - range.high) / normal.deviation > kFarthest) {
      within->Fail(
          fmt::format("it lies more than {} standard deviations from the mean", kFarthest));
    }
  }
  return normal;
}

WeightedChoice ReadChoice(const JsonCursor& variable) {
  const JsonCursor input = variable.Member("choice");
  input.ExpectNonEmptyArray("numbers");
  WeightedChoice choice{input.Numbers(), {}};
  std::vector<double> weights(choice.values.size(), 1.0);
  if (const auto given = variable.Find("weights")) {
    given->ExpectArray(weights.size(), "weights, one for each value");
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = given->Item(i).NumberNotBelowZero();
  }
  double sum = 0.0;
  for (const double weight : weights) choice.shares.push_back(sum += weight);
  if (!(sum > 0.0 && std::isfinite(sum))) {
    variable.Member("weights").Fail("the sum of the weights must be positive and finite");
  }
  for (double& share : choice.shares) share /= sum;
  // Values of no weight at the end stay out however the divisions round.
  for (double& share : choice.shares) {
    if (share >= choice.shares.back()) share = 1.0;
  }
  return choice;
}

}  // namespace

UniformRange ReadRange(const JsonCursor& input) {
  input.ExpectArray(2, "numbers (low, high)");
  const UniformRange range{input.Item(0).Number(), input.Item(1).Number()};
  if (!(range.low < range.high)) {
    input.Fail(fmt::format("the range from {} to {} is empty; give the lower end first", range.low,
                           range.high));
  }
  if (!std::isfinite(range.high - range.low)) input.Fail("the range is too wide for doubles");
  return range;
}

double Quantile(const Distribution& distribution, double u) {
  return std::visit([u](const auto& range) { return QuantileOf(range, u); }, distribution);
}

std::optional<Distribution> ReadDistribution(const JsonCursor& variable) {
  if (const auto uniform = variable.Find("uniform")) {
    variable.ExpectObject({"uniform", "unit"});
    return ReadRange(*uniform);
  }
  if (const auto log_uniform = variable.Find("log_uniform")) {
    variable.ExpectObject({"log_uniform", "unit"});
    const UniformRange range = ReadRange(*log_uniform);
    if (!(range.low > 0.0)) log_uniform->Fail("both ends must be positive");
    return LogUniformRange{range.low, range.high};
  }
  if (const auto normal = variable.Find("normal")) {
    variable.ExpectObject({"normal", "unit"});
    return ReadNormalRange(*normal);
  }
  if (!variable.Has("choice")) return std::nullopt;
  variable.ExpectObject({"choice", "weights", "unit"});
  return ReadChoice(variable);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
