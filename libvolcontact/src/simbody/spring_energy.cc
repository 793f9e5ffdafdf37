#include "simbody/spring_energy.h"

#include "math/gauss_rules.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

// The reach of a force is looked for between these [m], and then to this share of itself.
constexpr double kLeastReach = 1e-15, kGreatestReach = 1e6, kReachError = 1e-10;
// Of Kronrod's rule with 15 nodes: kinks of the force, where a corner lets go, cost little then.
constexpr int kPanels = 8;

// Where the force has fallen to zero; zero where it does not.
double ReachOf(const std::function<double(double)>& force) {
  double low = 0.0, high = kLeastReach;
  while (force(high) > 0.0) {
    low = high;
    high *= 4.0;
    if (high > kGreatestReach) return 0.0;
  }
  while (high - low > kReachError * high) {
    const double middle = 0.5 * (low + high);
    (force(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

double EnergyAlong(const std::function<double(double)>& force) {
  const double half = 0.5 * ReachOf(force) / kPanels;
  if (half == 0.0) return 0.0;
  double sum = 0.0;
  for (int panel = 0; panel < kPanels; ++panel) {
    for (int i = 0; i < 15; ++i) {
      const double s = half * (2.0 * panel + 1.0 + internal::kKronrodNodes15[i]);
      sum += internal::kKronrodWeights15[i] * force(s);
    }
  }
  return half * sum;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
