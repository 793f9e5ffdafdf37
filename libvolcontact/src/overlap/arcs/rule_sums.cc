#include "overlap/arcs/rule_sums.h"

#include <algorithm>

namespace volcontact {
namespace {

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
        if (n < kPattersonSizes[rule])
          made.weights[rule][pack].x[lane] = kPattersonWeights[rule][n];
      }
    }
    return made;
  }();
  return packs;
}

BoundarySums RuleSums::Integral(std::size_t sheet, int rule) const {
  LaneSums sums = {};
  for (int n = 0; n < std::max(1, NodePacks::PacksOf(rule)); ++n) {
    const Lanes& weight = NodePacks::Get().weights[rule][n];
    const LaneSums& at = at_[n][sheet];
    for (int k = 0; k < BoundarySums::kSize; ++k) sums[k] += weight * at[k];
  }
  BoundarySums integral;
  constexpr int kInFours = BoundarySums::kSize / 4 * 4;
  for (int k = 0; k < kInFours; k += 4) {
    const Lanes four = SumsOfFour(&sums[k]);
    std::copy_n(&four.x[0], 4, &integral.s[k]);
  }
  for (int k = kInFours; k < BoundarySums::kSize; ++k) integral.s[k] = sums[k].Sum();
  return integral;
}

}  // namespace volcontact
