#include "volcontact/identify/statistics.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

namespace {

// Errors below this share of the greatest value are rounding.
constexpr double kRounding = 1e-12;
// The level of the χ² test that decides whether runs scatter.
constexpr double kLevel = 0.01;
// Neighbours of noise correlate by more in one of 30,000 fits.
constexpr double kStructure = 4.0;
constexpr Eigen::Index kFewest = 8;
// Residuals below this share of the measured values are those of computed data: no sensor sees
// less.
constexpr double kNegligible = 1e-6;
constexpr double kNormalQuantile = 1.959963984540054;  // 97.5 %

}  // namespace

CombinedEstimate Combine(const Eigen::VectorXd& values, const Eigen::VectorXd& errors) {
  const double floor = kRounding * values.cwiseAbs().maxCoeff() + 1e-300;
  const Eigen::VectorXd weights = errors.cwiseMax(floor).cwiseAbs2().cwiseInverse();
  CombinedEstimate result;
  result.value = weights.dot(values) / weights.sum();
  result.standard_error = 1.0 / std::sqrt(weights.sum());
  result.half_width = kNormalQuantile * result.standard_error;
  const double freedom = static_cast<double>(values.size() - 1);
  if (freedom < 1.0) return result;
  const double chi_squared = weights.dot((values.array() - result.value).square().matrix());
  const boost::math::chi_squared distribution(freedom);
  result.scattered = boost::math::cdf(boost::math::complement(distribution, chi_squared)) < kLevel;
  if (result.scattered) {
    result.standard_error *= std::sqrt(chi_squared / freedom);
    result.half_width =
        result.standard_error * boost::math::quantile(boost::math::students_t(freedom), 0.975);
  }
  return result;
}

ResidualStructure TestResiduals(const Eigen::VectorXd& residuals, const Eigen::VectorXd& key,
                                double magnitude) {
  const Eigen::Index n = residuals.size();
  ResidualStructure structure;
  const double squares = residuals.squaredNorm();
  if (n < kFewest || !(squares > 0.0)) return structure;
  std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return key[a] < key[b]; });
  const Eigen::VectorXd sorted = residuals(order);
  const auto neighbours = [&](const Eigen::VectorXd& r) {
    return r.head(n - 1).dot(r.tail(n - 1)) / squares;
  };
  structure.correlation = std::max(neighbours(residuals), neighbours(sorted));
  structure.significance = structure.correlation * std::sqrt(static_cast<double>(n));
  const double rms = std::sqrt(squares / static_cast<double>(n));
  structure.found = structure.significance > kStructure && rms > kNegligible * magnitude;
  return structure;
}

double Median(std::vector<double> values) {
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  if (values.size() % 2 == 1) return values[middle];
  return 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
