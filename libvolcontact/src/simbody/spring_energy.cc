#include "simbody/spring_energy.h"

#include <cmath>
#include <limits>
#include <vector>

#include "math/quadrature/gauss_rules.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

// The reach of a force is found to this share of itself: of a force that falls as a line, the
// square of it is an error. It is looked for up to here [m], where nothing is known of it by so
// much more each time.
constexpr double kReachError = 1e-4, kGrowth = 100.0, kGreatestReach = 1e6;
// Above it the middle of a bracket is that of the logarithms.
constexpr double kWideBracket = 4.0;
// Of the way from a known place to where the force should end, how much is gone: then it is known
// again before the end, and nearer to it.
constexpr double kOfWay = 127.0 / 128.0;
// Of three known places' distance, how near to the last one and how far from it a power law may
// end.
constexpr double kNearestEnd = 1e-6, kFarthestEnd = 1e3;
constexpr double kEndError = 1e-7;  // of these logarithms
// Of the energy: what Gauss's rule and Kronrod's may differ by, of which the latter then errs by a
// tenth or less; and how often panels are halved at most, as where a corner lets go.
constexpr double kDifference = 1e-5;
constexpr int kMostHalvings = 4;
// Of the reach, by which a power law through the first places may end elsewhere. A force that is
// none, as of patches that let go one after another, begins with so many panels.
constexpr double kLawError = 0.1;
// A contact less high than an atom [m] is one of rounding, and its energy is that of a power law:
// queries of it are slow, and not exact enough for more.
constexpr double kLeastHeight = 1e-10;
constexpr int kPanelsWithoutLaw = 4, kHalvingsWithoutLaw = 2;

using Force = std::function<double(double)>;

// A place where the force is known.
struct Known {
  double s, force;
};

// Where C (1 - s/end)^p through three places ends; infinite where no such law goes through them.
double EndOfPowerLaw(const Known& a, const Known& b, const Known& c) {
  const double first = std::log(a.force / b.force), second = std::log(b.force / c.force);
  const auto is_before = [&](double end) {
    return std::log((end - a.s) / (end - b.s)) * second <
           std::log((end - b.s) / (end - c.s)) * first;
  };
  const double span = c.s - a.s;
  double low = std::log(kNearestEnd), high = std::log(kFarthestEnd);
  if (!(first > 0.0 && second > 0.0) || is_before(c.s + span * kFarthestEnd)) {
    return std::numeric_limits<double>::infinity();
  }
  while (high - low > kEndError) {
    const double middle = 0.5 * (low + high);
    (is_before(c.s + span * std::exp(middle)) ? low : high) = middle;
  }
  return c.s + span * std::exp(high);
}

// Of the power law through three places of its first half, or else of a shallow cap.
double EnergyOfPowerLaw(const Force& force, double height) {
  const Known a{0.0, force(0.0)}, b{0.25 * height, force(0.25 * height)},
      c{0.5 * height, force(0.5 * height)};
  const double end = a.force > 0.0 && b.force > 0.0 && c.force > 0.0
                         ? EndOfPowerLaw(a, b, c)
                         : std::numeric_limits<double>::infinity();
  if (!std::isfinite(end)) return 2.0 / 3.0 * a.force * height;
  const double power = std::log(a.force / c.force) / std::log(end / (end - c.s));
  return a.force * end / (power + 1.0);
}

struct Reach {
  double end = 0.0;
  bool is_of_power_law = false;
};

// Where the force has fallen to zero; zero where it does not. It is about that of a spring whose
// length is `height`, and falls about as a power of what is left of its reach. Where it does not,
// each third guess halves the bracket.
Reach ReachOf(const Force& force, double height) {
  std::vector<Known> known = {{0.0, force(0.0)}};
  if (!(known[0].force > 0.0)) return {};
  double low = 0.0, high = std::numeric_limits<double>::infinity(), next = height;
  for (int guess = 1; high - low > kReachError * low; ++guess) {
    const double now = force(next);
    if (now > 0.0) {
      known.push_back({next, now});
      low = next;
    } else {
      high = next;
    }
    if (low > kGreatestReach) return {};
    const bool is_wide = low > 0.0 && high > kWideBracket * low;
    const double middle = is_wide ? std::sqrt(low * high) : 0.5 * (low + high);
    next = std::isfinite(high) ? middle : (guess < 3 ? 1.5 : kGrowth) * low;
    const std::size_t count = known.size();
    if (count < 3 || guess % 3 == 0) continue;
    const double end = EndOfPowerLaw(known[count - 3], known[count - 2], known[count - 1]);
    const double left = (1.0 - kOfWay) * (end - low);
    const double wanted =
        left > 0.5 * kReachError * end ? end - left : (1.0 + 0.5 * kReachError) * end;
    if (wanted > low && wanted < high) next = wanted;
  }
  const double by_law = known.size() < 3 ? high : EndOfPowerLaw(known[0], known[1], known[2]);
  return {high, std::abs(by_law - high) <= kLawError * high};
}

// `whole`: of all panels, about; zero at the first, which is all.
double IntegralBetween(const Force& force, double from, double to, double whole, int halvings) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.0, gauss = 0.0;
  for (int i = 0; i < 9; ++i) {
    const double at = half * force(middle + half * internal::kKronrodNodes9[i]);
    sum += internal::kKronrodWeights9[i] * at;
    gauss += internal::kKronrodGauss9[i] * at;
  }
  if (whole == 0.0) whole = sum;
  if (halvings == 0 || std::abs(sum - gauss) <= kDifference * whole) return sum;
  return IntegralBetween(force, from, middle, whole, halvings - 1) +
         IntegralBetween(force, middle, to, whole, halvings - 1);
}

}  // namespace

double EnergyAlong(const Force& force, double height) {
  if (height < kLeastHeight) return EnergyOfPowerLaw(force, height);
  const Reach reach = ReachOf(force, height);
  if (reach.end == 0.0) return 0.0;
  // By the root of what is left of the reach, in which forces of edges are polynomials, too.
  const auto by_root = [&](double t) {
    return 2.0 * t * reach.end * force(reach.end * (1.0 - t * t));
  };
  if (reach.is_of_power_law) return IntegralBetween(by_root, 0.0, 1.0, 0.0, kMostHalvings);
  double energy = 0.0;
  for (int i = kPanelsWithoutLaw; i > 0; --i) {
    energy += IntegralBetween(by_root, (i - 1.0) / kPanelsWithoutLaw, 1.0 * i / kPanelsWithoutLaw,
                              energy, kHalvingsWithoutLaw);
  }
  return energy;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
