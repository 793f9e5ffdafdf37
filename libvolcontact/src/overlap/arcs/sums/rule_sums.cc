#include "overlap/arcs/sums/rule_sums.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace volcontact {
namespace {

// The error of a rule of twice the order is the power 7/4 of so many times the relative difference.
constexpr double kGainMargin = 6.0;

// Errors of area vectors may be ten times those of the moments.
constexpr double kAreaWeight = 0.1;

// What counts of odd terms, of which integrals have none: beside those of even degree they are
// large where the series converges fast.
constexpr double kOddTerm = 0.5;

// Legendre's polynomials.
double Legendre(int degree, double x) {
  double before = 1.0, value = x;
  for (int n = 1; n < degree; ++n) {
    before = std::exchange(value, ((2 * n + 1) * x * value - n * before) / (n + 1));
  }
  return value;
}

// The degree of the last term of Legendre's series that a rule tells: half of the degree up to
// which it is exact, and below its number of nodes.
int LastDegree(int nodes) { return std::min(nodes - 1, (3 * nodes + 3) / 4); }

// The sums of four packs, with the bits that each has by itself.
Lanes SumsOfFour(const Lanes* packs) {
  const auto pairs = [](const Lanes& a, const Lanes& b) {
    return __builtin_shufflevector(a.x, b.x, 0, 4, 2, 6) +
           __builtin_shufflevector(a.x, b.x, 1, 5, 3, 7);
  };
  const Lanes::Values first = pairs(packs[0], packs[1]), last = pairs(packs[2], packs[3]);
  Lanes sums;
  sums.x = __builtin_shufflevector(first, last, 0, 1, 4, 5) +
           __builtin_shufflevector(first, last, 2, 3, 6, 7);
  return sums;
}

}  // namespace

const NodePacks& NodePacks::Get() {
  static const NodePacks packs = [] {
    NodePacks made;
    for (int n = 0; n < kPattersonSizes[kPattersonCount - 1]; ++n) {
      // The place left over is the first: so the nodes that a rule adds fill packs.
      const int pack = (n + 1) / kLanes, lane = (n + 1) % kLanes;
      made.places[pack].x[lane] = kPattersonNodes[n];
      for (int rule = 0; rule < kPattersonCount; ++rule) {
        if (n >= kPattersonSizes[rule]) continue;
        const double weight = kPattersonWeights[rule][n];
        made.weights[rule][pack].x[lane] = weight;
        for (int k = 0; rule > 0 && k < 2; ++k) {
          const int degree = LastDegree(kPattersonSizes[rule]) - k;
          const double counts = (degree + 0.5) * (degree % 2 == 0 ? 1.0 : kOddTerm);
          made.last_terms[rule][k][pack].x[lane] =
              counts * Legendre(degree, kPattersonNodes[n]) * weight;
        }
      }
    }
    return made;
  }();
  return packs;
}

double RuleSums::Extrapolate(double difference, double scale) {
  // What faces add up to may vanish at all nodes but for rounding.
  if (!(difference < scale)) return difference;
  const double relative = difference / scale, root = std::sqrt(kGainMargin * relative);
  return scale * std::min(relative, root * root * root * std::sqrt(root));
}

double RuleSums::WeightOf(int sum) { return sum < BoundarySums::kArea ? 1.0 : kAreaWeight; }

double RuleSums::ErrorOfSheet(std::size_t sheet, int from, const BoundarySums& units,
                              const BoundarySums& coarse, const BoundarySums& fine,
                              int rule) const {
  double largest = 0.0;
  int where = from;
  for (int k = from; k < BoundarySums::kSize; ++k) {
    const double difference = WeightOf(k) * units.s[k] * std::abs(fine.s[k] - coarse.s[k]);
    if (difference <= largest) continue;
    largest = difference;
    where = k;
  }
  if (largest == 0.0) return 0.0;
  const double unit = WeightOf(where) * units.s[where];
  return unit *
         ErrorOf(rule, largest / unit, [&](const LaneSums* sums) { return sums[sheet][where]; });
}

BoundarySums RuleSums::Integral(std::size_t sheet, int rule) const {
  const auto& weights = NodePacks::Get().weights[rule];
  const int packs = std::max(1, NodePacks::PacksOf(rule));
  // Four sums at a time stay in registers.
  const auto sum_from = [&](int k, auto* sums) {
    for (int n = 0; n < packs; ++n) {
      const Lanes* at = &at_[n][sheet][k];
      for (std::size_t i = 0; i < sums->size(); ++i) (*sums)[i] += weights[n] * at[i];
    }
  };
  BoundarySums integral;
  constexpr int kInFours = BoundarySums::kSize / 4 * 4;
  for (int k = 0; k < kInFours; k += 4) {
    std::array<Lanes, 4> sums = {};
    sum_from(k, &sums);
    const Lanes four = SumsOfFour(sums.data());
    std::memcpy(&integral.s[k], &four.x, sizeof four.x);
  }
  std::array<Lanes, BoundarySums::kSize - kInFours> rest = {};
  sum_from(kInFours, &rest);
  for (std::size_t i = 0; i < rest.size(); ++i) integral.s[kInFours + i] = rest[i].Sum();
  return integral;
}

}  // namespace volcontact
