// Conditions on other surfaces at points where a surface bounds a region.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solids/exact/truth.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// Whether a point must be below a surface, psi <= 0.
struct SideCondition {
  int surface;
  Truth below;
  bool operator==(const SideCondition&) const = default;
};

/// For each surface of an expression, conditions that all points of its faces meet: of the literals
/// beside it in And nodes that they hold, of those in Or nodes that they fail. So a cap bounds a
/// union of cylinders only within the cylinder that it is a cap of.
class SideConditions {
 public:
  /// `surfaces`: how many there are. Cost: linear in the expression, times its depth.
  void Run(const Expression& expression, std::size_t surfaces);
  /// Those of a surface.
  std::span<const SideCondition> Of(int surface) const {
    const Range& range = ranges_[surface];
    return {conditions_.data() + range.from, range.count};
  }

 private:
  struct Range {
    std::size_t from = 0, count = 0;
    bool is_found = false;
  };

  void Visit(const Expression::Node* nodes, int root);
  void Note(int surface);

  std::vector<SideCondition> conditions_;
  std::vector<Range> ranges_;          // by surface
  std::vector<SideCondition> around_;  // of the node that is visited
};

}  // namespace volcontact
