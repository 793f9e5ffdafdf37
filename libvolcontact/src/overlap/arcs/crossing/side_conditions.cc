#include "overlap/arcs/crossing/side_conditions.h"

#include <algorithm>

namespace volcontact {
namespace {

// Nodes of more literals are not asked: of a union of many balls each would have a condition for
// each other one, and cells tell sooner which of them matter.
constexpr int kMostLiterals = 8;

}  // namespace

void SideConditions::Run(const Expression& expression, std::size_t surfaces) {
  conditions_.clear();
  ranges_.assign(surfaces, {});
  around_.clear();
  Visit(expression.nodes().data(), expression.Root());
}

// The conditions around all literals of a surface are those of all its faces.
void SideConditions::Note(int surface) {
  Range& range = ranges_[surface];
  if (!range.is_found) {
    range = {conditions_.size(), 0, true};
    for (const SideCondition& condition : around_) {
      if (condition.surface != surface) conditions_.push_back(condition);
    }
    range.count = conditions_.size() - range.from;
    return;
  }
  const auto begin = conditions_.begin() + static_cast<std::ptrdiff_t>(range.from);
  const auto end = begin + static_cast<std::ptrdiff_t>(range.count);
  const auto fails_here = [&](const SideCondition& condition) {
    return std::find(around_.begin(), around_.end(), condition) == around_.end();
  };
  range.count = static_cast<std::size_t>(std::remove_if(begin, end, fails_here) - begin);
}

void SideConditions::Visit(const Expression::Node* nodes, int root) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Expression::Kind::kConstant) return;
  if (node.kind == Expression::Kind::kLiteral) return Note(node.value);
  const bool holds = node.kind == Expression::Kind::kAnd;
  const std::size_t before = around_.size();
  for (const int child : Expression::ChildrenOf(nodes, root)) {
    const Expression::Node& literal = nodes[child];
    if (literal.kind != Expression::Kind::kLiteral) continue;
    around_.push_back({literal.value, ToTruth(holds != literal.flag)});
  }
  if (around_.size() - before > kMostLiterals) around_.resize(before);
  for (const int child : Expression::ChildrenOf(nodes, root)) Visit(nodes, child);
  around_.resize(before);
}

}  // namespace volcontact
