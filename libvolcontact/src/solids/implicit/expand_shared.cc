#include "solids/implicit/expand_shared.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace volcontact {
namespace {

// More operands at one surface are mostly parts that lie beside each other, each for itself.
constexpr std::size_t kMostOperands = 8;
// An And becomes no larger than so many times its size, and so many nodes.
constexpr std::size_t kMostGrowth = 4, kMostNodes = 400;

LiteralSides SidesIn(const Expression& operand, int surface) {
  LiteralSides sides;
  for (const Expression::Node& node : operand.nodes()) {
    if (node.kind != Expression::Kind::kLiteral || node.value != surface) continue;
    (node.flag ? sides.above : sides.below) = true;
  }
  return sides;
}

std::size_t SizeOf(const std::vector<Expression>& operands) {
  std::size_t size = 0;
  for (const Expression& operand : operands) size += operand.nodes().size();
  return size;
}

// What is left of an expression on one side of a surface, and that side.
Expression OnSide(const Expression& whole, int surface, bool below, std::size_t count) {
  std::vector<Truth> states(count, Truth::kUnknown);
  states[surface] = ToTruth(below);
  Expression reduced;
  whole.Reduce(states.data(), &reduced);
  return Expression::And({below ? Expression::Below(surface) : Expression::Above(surface), reduced})
      .Simplified();
}

// The operands with literals of a surface, if some have one below it and others one above.
std::vector<std::size_t> OperandsAt(const std::vector<Expression>& operands, int surface) {
  std::vector<std::size_t> at;
  std::optional<std::size_t> below, above;
  bool meets = false;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const LiteralSides sides = SidesIn(operands[n], surface);
    if (!sides.below && !sides.above) continue;
    meets |= (sides.below && above) || (sides.above && below);
    if (sides.below) below = n;
    if (sides.above) above = n;
    at.push_back(n);
  }
  if (!meets || at.size() > kMostOperands) at.clear();
  return at;
}

Expression ExpandAnd(std::vector<Expression> operands) {
  const std::size_t most = std::min(kMostNodes, kMostGrowth * SizeOf(operands));
  const Expression all = Expression::And(operands);
  const std::vector<int> surfaces = all.Surfaces();
  if (surfaces.empty()) return all;
  const std::size_t count = static_cast<std::size_t>(surfaces.back()) + 1;
  // A plate with many holes has few surfaces with itself on both sides.
  std::vector<LiteralSides> sides;
  FindSides(all, static_cast<int>(count), &sides);
  for (const int s : surfaces) {
    if (!sides[s].below || !sides[s].above) continue;
    const std::vector<std::size_t> at = OperandsAt(operands, s);
    if (at.empty()) continue;
    std::vector<Expression> shared, others;
    for (std::size_t n = 0; n < operands.size(); ++n) {
      const bool is_at = std::find(at.begin(), at.end(), n) != at.end();
      (is_at ? shared : others).push_back(operands[n]);
    }
    const Expression whole = Expression::And(shared);
    others.push_back(
        Expression::Or({OnSide(whole, s, true, count), OnSide(whole, s, false, count)}));
    if (SizeOf(others) <= most) operands = std::move(others);
  }
  return Expression::And(operands);
}

Expression ExpandAt(const Expression::Node* nodes, int root) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Expression::Kind::kConstant) return Expression::Constant(node.flag);
  if (node.kind == Expression::Kind::kLiteral)
    return node.flag ? Expression::Above(node.value) : Expression::Below(node.value);
  std::vector<Expression> operands;
  for (const int child : Expression::ChildrenOf(nodes, root))
    operands.push_back(ExpandAt(nodes, child));
  std::reverse(operands.begin(), operands.end());
  return node.kind == Expression::Kind::kOr ? Expression::Or(operands)
                                            : ExpandAnd(std::move(operands));
}

}  // namespace

Expression ExpandShared(const Expression& expression) {
  return ExpandAt(expression.nodes().data(), expression.Root());
}

}  // namespace volcontact
