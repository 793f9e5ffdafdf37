// The forms of an edge's sheets at the nodes of nested rules.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "math/arithmetic/lanes.h"
#include "math/quadrature/gauss_rules.h"
#include "overlap/arcs/edges/edge_sheets.h"
#include "overlap/arcs/faces/boundary_sums.h"

namespace volcontact {

/// Patterson's rules, four nodes at a time: the rule of 2^(r + 1) − 1 nodes is on the first
/// PacksOf(r) packs, which is all of them but one place, without weight.
struct NodePacks {
  static constexpr int kLanes = Lanes::kCount;
  static constexpr int kMost = (kPattersonSizes[kPattersonCount - 1] + 1) / kLanes;

  std::array<Lanes, kMost> places;  ///< in [−1, 1]
  std::array<std::array<Lanes, kMost>, kPattersonCount> weights;
  /// From three nodes on: those of the last two coefficients of Legendre's series that a rule
  /// tells.
  std::array<std::array<std::array<Lanes, kMost>, 2>, kPattersonCount> last_terms;

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

  /// The estimated error of a rule that is traced, for the integral of value(sums), the value of a
  /// pack's sums of all sheets. `difference`: from the rule before. A rule of twice the order has
  /// an error of about the square of that, relative to the integral of |value|. A difference may be
  /// small by chance, beside a pole above all: the last terms of Legendre's series count as well.
  template <class Value>
  double ErrorOf(int rule, double difference, const Value& value) const {
    const NodePacks& packs = NodePacks::Get();
    Lanes scale, last[2];
    for (int n = 0; n < NodePacks::PacksOf(rule); ++n) {
      const Lanes at = value(at_[n].data());
      scale += packs.weights[rule][n] * AbsoluteOf(at);
      for (int k : {0, 1}) last[k] += packs.last_terms[rule][k][n] * at;
    }
    return Extrapolate(std::max({difference, std::abs(last[0].Sum()), std::abs(last[1].Sum())}),
                       scale.Sum());
  }

  /// The same for the sums of one sheet from the sum `from` on, as an error of the volume: the
  /// largest, times its `units`. `coarse` and `fine`: by the rule before and by this one.
  double ErrorOfSheet(std::size_t sheet, int from, const BoundarySums& units,
                      const BoundarySums& coarse, const BoundarySums& fine, int rule) const;

  /// How much an error of a sum counts beside that of the volume.
  static double WeightOf(int sum);

 private:
  static double Extrapolate(double difference, double scale);

  std::array<std::array<LaneSums, EdgeSheets::kMost>, NodePacks::kMost> at_;
};

}  // namespace volcontact
