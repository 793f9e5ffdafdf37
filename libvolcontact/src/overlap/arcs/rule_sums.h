// The forms of an edge's sheets at the nodes of nested rules.
#pragma once

#include <array>
#include <cstddef>

#include "math/gauss_rules.h"
#include "math/lanes.h"
#include "overlap/arcs/boundary_sums.h"
#include "overlap/arcs/edge_sheets.h"

namespace volcontact {

/// Patterson's rules, four nodes at a time: the rule of 2^(r + 1) − 1 nodes is on the first
/// PacksOf(r) packs, which is all of them but one place, without weight.
struct NodePacks {
  static constexpr int kLanes = Lanes::kCount;
  static constexpr int kMost = (kPattersonSizes[kPattersonCount - 1] + 1) / kLanes;

  std::array<Lanes, kMost> places;  ///< in [−1, 1]
  std::array<std::array<Lanes, kMost>, kPattersonCount> weights;

  /// 0 for rules of less than three nodes, whose nodes and weights are in the first pack, too.
  static constexpr int PacksOf(int rule) { return (kPattersonSizes[rule] + 1) / kLanes; }
  static const NodePacks& Get();
};

/// The values of the forms of up to EdgeSheets::kMost sheets at the nodes, and their integrals over
/// [−1, 1]. Rules are numbers of Patterson's, from 1 on.
class RuleSums {
 public:
  /// `evaluate(place, sums)` adds to the sums of each sheet what four places add; false where one
  /// is not found. The nodes of `known`, a rule before, are there already; 0: none are.
  template <class Evaluate>
  bool Trace(int sheets, int known, int rule, const Evaluate& evaluate) {
    for (int n = NodePacks::PacksOf(known); n < NodePacks::PacksOf(rule); ++n) {
      for (int k = 0; k < sheets; ++k) at_[n][k] = {};
      if (!evaluate(NodePacks::Get().places[n], at_[n].data())) return false;
    }
    return true;
  }

  /// The integrals of a sheet's form by a rule that is traced.
  BoundarySums Integral(std::size_t sheet, int rule) const;

  /// The integral of |value(sums)|, the value of a pack's sums of all sheets.
  template <class Value>
  double Magnitude(int rule, const Value& value) const {
    Lanes sum;
    for (int n = 0; n < NodePacks::PacksOf(rule); ++n) {
      sum += NodePacks::Get().weights[rule][n] * AbsoluteOf(value(at_[n].data()));
    }
    return sum.Sum();
  }

 private:
  std::array<std::array<LaneSums, EdgeSheets::kMost>, NodePacks::kMost> at_;
};

}  // namespace volcontact
