#include "simbody/spring_energy.h"

#include <cmath>

#include "math/gauss_rules.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

// The reach of a force is looked for from here, by so much more each time, up to here [m], and then
// to this share of itself: of a force that falls as a line, the square of it is an error.
constexpr double kFirstReach = 1e-9, kGrowth = 100.0, kGreatestReach = 1e6, kReachError = 1e-4;
// Above it the middle of a bracket is that of the logarithms.
constexpr double kWideBracket = 4.0;
// Of the energy: what Gauss's rule and Kronrod's may differ by, of which the latter then errs by a
// tenth or less; and how often panels are halved at most, as where a corner lets go.
constexpr double kDifference = 1e-5;
constexpr int kMostHalvings = 2;

using Force = std::function<double(double)>;

// Where the force has fallen to zero; zero where it does not.
double ReachOf(const Force& force) {
  double low = 0.0, high = kFirstReach;
  while (force(high) > 0.0) {
    low = high;
    high *= kGrowth;
    if (high > kGreatestReach) return 0.0;
  }
  while (high - low > kReachError * high) {
    const bool is_wide = low > 0.0 && high > kWideBracket * low;
    const double middle = is_wide ? std::sqrt(low * high) : 0.5 * (low + high);
    (force(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

// `whole`: of all panels, about; zero at the first, which is all.
double WorkBetween(const Force& force, double from, double to, double whole, int halvings) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.0, gauss = 0.0;
  for (int i = 0; i < 15; ++i) {
    const double at = half * force(middle + half * internal::kKronrodNodes15[i]);
    sum += internal::kKronrodWeights15[i] * at;
    gauss += internal::kKronrodGauss15[i] * at;
  }
  if (whole == 0.0) whole = sum;
  if (halvings == 0 || std::abs(sum - gauss) <= kDifference * whole) return sum;
  return WorkBetween(force, from, middle, whole, halvings - 1) +
         WorkBetween(force, middle, to, whole, halvings - 1);
}

}  // namespace

double EnergyAlong(const Force& force) {
  const double reach = ReachOf(force);
  return reach > 0.0 ? WorkBetween(force, 0.0, reach, 0.0, kMostHalvings) : 0.0;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
