// The operands of a boolean expression, in a tree of boxes.
#pragma once

#include <vector>

#include "solids/implicit/expression.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Finds what is left of a compiled solid's expression within a box without a look at what lies
/// elsewhere. Outside of a certified box each operand has one value: an operand of an And is true
/// outside of the box around where it may be false, one of an Or false outside of the box around
/// where it may be true. Many operands of one node are grouped by where they are, as in a tree of
/// boxes; a group is an And or Or of its own.
///
/// Memory is linear in the size of the expression, building takes some 10 µs a literal.
class OperandTree {
 public:
  /// Without operands.
  OperandTree() = default;
  /// A tree of the solid's expression within the box `domain`, which is bounded and not flat. Built
  /// by `threads` threads; the tree is the same for any number of them.
  OperandTree(const ImplicitSolid& solid, const Aabb& domain, int threads);

  bool IsEmpty() const { return nodes_.empty(); }
  /// Where Reduce may be asked.
  const Aabb& domain() const { return domain_; }

  /// The nodes of an expression that is equivalent to the solid's in `box`, a part of the domain.
  /// When that takes more than `max_literals` operands are left out so that it holds wherever the
  /// solid's does, and the result is false. Cost: logarithmic in the size of the solid's
  /// expression, linear in what is left.
  bool Reduce(const Aabb& box, int max_literals, std::vector<Expression::Node>* reduced) const;

 private:
  // In pre-order: the subtree of nodes[i] ends before nodes[i].end.
  struct Node {
    Expression::Node node;  // of a literal; the kind of an And or Or
    bool outside;           // the value outside of the box
    int end;
    Aabb box;
  };
  // A node of the expression with its box.
  struct Operand {
    int root;
    Aabb box;
  };
  class Bounds;
  class Builder;
  struct Search;

  Truth ReduceAt(int i, Search* search) const;

  Aabb domain_ = Aabb::Nothing();
  std::vector<Node> nodes_;
};

}  // namespace volcontact
