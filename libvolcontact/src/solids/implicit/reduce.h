// What is left of an expression where surfaces are decided.
#pragma once

#include <cstddef>
#include <vector>

#include "solids/implicit/expression.h"

namespace volcontact {

/// Appends the reduced form of the subtree at nodes[root] to `out`; returns its truth, appending
/// nothing when that is known. `truth_of(s)` is whether psi_s <= 0. It is called only if the answer
/// matters, so not for operands after one that decides.
template <class SurfaceTruth>
Truth ReduceAt(const Expression::Node* nodes, int root, const SurfaceTruth& truth_of,
               std::vector<Expression::Node>* out) {
  using Kind = Expression::Kind;
  const Expression::Node node = nodes[root];
  if (node.kind == Kind::kConstant) return ToTruth(node.flag);
  if (node.kind == Kind::kLiteral) {
    const Truth below = truth_of(node.value);
    if (below == Truth::kUnknown) out->push_back(node);
    return node.flag ? Not(below) : below;
  }
  const bool is_or = node.kind == Kind::kOr;
  const Truth decisive = ToTruth(is_or);
  const std::size_t begin = out->size();
  int operands = 0;
  for (const int child : Expression::ChildrenOf(nodes, root)) {
    const Truth truth = ReduceAt(nodes, child, truth_of, out);
    if (truth == decisive) {
      out->resize(begin);
      return decisive;
    }
    if (truth != Truth::kUnknown) continue;
    ++operands;
    if (out->back().kind != node.kind) continue;
    // An operand of the same kind is merged: it brings at least two operands.
    out->pop_back();
    ++operands;
  }
  if (operands == 0) return ToTruth(!is_or);
  if (operands > 1) out->push_back({node.kind, false, static_cast<int>(out->size() - begin)});
  return Truth::kUnknown;
}

/// Reduces a whole expression, by the memory of `nodes`.
template <class SurfaceTruth>
void Reduce(const Expression& expression, const SurfaceTruth& truth_of,
            std::vector<Expression::Node>* nodes, Expression* reduced) {
  nodes->clear();
  const Truth truth = ReduceAt(expression.nodes().data(), expression.Root(), truth_of, nodes);
  if (truth != Truth::kUnknown) {
    nodes->push_back({Expression::Kind::kConstant, truth == Truth::kTrue, 0});
  }
  reduced->Assign(*nodes);
}

}  // namespace volcontact
