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
  const int packs = std::max(1, NodePacks::PacksOf(rule));
  const auto& weights = NodePacks::Get().weights[rule];
  BoundarySums integral;
  for (int k = 0; k < BoundarySums::kSize; ++k) {
    Lanes sum;
    for (int n = 0; n < packs; ++n) sum += weights[n] * at_[n][sheet][k];
    integral.s[k] = sum.Sum();
  }
  return integral;
}

}  // namespace volcontact
