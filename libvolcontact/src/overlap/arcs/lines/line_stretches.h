// In which stretches of a line, between crossings of surfaces, an expression holds.
#pragma once

#include <cstddef>
#include <vector>

#include "solids/implicit/expression.h"

namespace volcontact {

/// Cuts a line where it crosses surfaces, and finds in which of the stretches between it is inside
/// of what an expression describes. Each operand is asked about its own crossings alone, so that
/// the cost is that of the surfaces, not of each stretch by all of them. Keeps its memory.
class LineStretches {
 public:
  struct Crossing {
    double t;
    int surface;
  };
  /// Stretches, by number: stretch n lies between the crossings n − 1 and n.
  struct Range {
    int from, end;
  };

  /// `surfaces`: how many there are.
  void Begin(std::size_t surfaces);
  /// Whether the line begins below a surface. To be set for all surfaces of the expression.
  void SetState(int surface, bool is_below) { lines_[surface] = {is_below, -1}; }
  /// In any order.
  void AddCrossing(const Crossing& crossing) { crossings_.push_back(crossing); }
  /// Sorts the crossings, and finds where the expression holds.
  void Find(const Expression& expression);

  /// In order.
  const std::vector<Crossing>& crossings() const { return crossings_; }
  /// Where the expression holds, in order, no two of them next to each other.
  const std::vector<Range>& inside() const { return ranges_; }

 private:
  // Of a surface: where the line begins, and its first crossing, −1: none.
  struct OnLine {
    bool is_below;
    int first;
  };

  void AddLiteral(const Expression::Node& literal);
  void Intersect(std::size_t begin, std::size_t middle);
  void Unite(std::size_t begin);
  void Visit(const Expression::Node* nodes, int root);
  int Count() const { return static_cast<int>(crossings_.size()) + 1; }

  std::vector<Crossing> crossings_;
  std::vector<int> next_;       // by crossing, the next of its surface, −1: none
  std::vector<OnLine> lines_;   // by surface
  std::vector<Range> ranges_;   // of the operands that are visited, one after the other
  std::vector<Range> present_;  // of two operands
};

}  // namespace volcontact
