#include "overlap/arcs/rule_sums.h"

#include <algorithm>

namespace volcontact {

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
  for (int k = 0; k < BoundarySums::kSize; ++k) integral.s[k] = sums[k].Sum();
  return integral;
}

}  // namespace volcontact
