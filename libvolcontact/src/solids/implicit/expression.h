// Boolean expressions over surfaces.
#pragma once

#include <cstdint>
#include <vector>

#include "solids/exact/truth.h"

namespace volcontact {

/// A positive boolean expression (negations pushed into the leaves): a tree of n-ary And and Or
/// over literals "psi_s <= 0" or "psi_s >= 0". Sets are regularised: boundaries carry no volume, so
/// both literals of one surface together are empty.
///
/// Stored as nodes in post-order (children before their parent, the root last), so that one forward
/// sweep evaluates it without recursion.
class Expression {
 public:
  enum class Kind : std::uint8_t { kLiteral, kAnd, kOr, kConstant };

  struct Node {
    Kind kind;
    /// kLiteral: the literal is psi >= 0; kConstant: the value.
    bool flag;
    /// kLiteral: the surface's index; kAnd, kOr: the number of nodes in the subtree below this one.
    int value;

    /// Number of nodes of the subtree that ends with this one.
    int Size() const { return kind == Kind::kAnd || kind == Kind::kOr ? value + 1 : 1; }
    bool operator==(const Node&) const = default;
  };

  /// The indices of the children of an And or Or, nodes[parent], from the last to the first.
  class ChildrenOf {
   public:
    ChildrenOf(const Node* nodes, int parent)
        : begin_{nodes, parent - 1}, end_{nodes, parent - nodes[parent].Size()} {}

    struct Iterator {
      const Node* nodes;
      int child;

      int operator*() const { return child; }
      Iterator& operator++() {
        child -= nodes[child].Size();
        return *this;
      }
      bool operator!=(const Iterator& other) const { return child != other.child; }
    };
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }

   private:
    Iterator begin_, end_;
  };

  Expression() = default;
  bool operator==(const Expression&) const = default;

  static Expression Constant(bool value);
  /// The literal psi <= 0 of a surface, and psi >= 0.
  static Expression Below(int surface);
  static Expression Above(int surface);
  /// n-ary combinations; nested nodes of the same kind are merged, constants folded.
  static Expression And(const std::vector<Expression>& children);
  static Expression Or(const std::vector<Expression>& children);
  Expression Complement() const;
  /// Becomes the And of two others, neither of them this one, `offset` added to the surfaces of the
  /// second. Keeps its memory.
  void AssignAnd(const Expression& first, const Expression& second, int offset);
  /// Becomes the expression of these nodes, in post-order, no constant beside others and no operand
  /// of its parent's kind. Keeps its memory.
  void Assign(const std::vector<Node>& nodes) { nodes_ = nodes; }

  /// The same expression with surface s replaced by surfaces[s], its literal flipped when flip[s].
  Expression Relabelled(const std::vector<int>& surfaces, const std::vector<bool>& flip) const;
  /// Becomes that, keeping its memory.
  void Relabel(const std::vector<int>& surfaces, const std::vector<bool>& flip);
  /// The same without flips.
  Expression Relabelled(const std::vector<int>& surfaces) const;

  /// The same expression with the inside of a surface, psi_s <= 0 (or >= 0 when `positive`),
  /// replaced by psi_outer <= 0 and psi_inner >= 0.
  Expression SplitSurface(int surface, bool positive, int outer, int inner) const;

  /// Value when the inside-state of every surface is known: inside[s] nonzero iff psi_s <= 0.
  bool Evaluate(const std::uint8_t* inside) const;
  /// The same for eight cases at once, of which each has a bit: that of cases[s] is set where psi_s
  /// <= 0.
  std::uint8_t EvaluateCases(const std::uint8_t* cases) const;
  /// Three-valued counterpart: state[s] is kTrue where psi_s <= 0 certainly, kFalse where psi_s >=
  /// 0.
  Truth Evaluate(const Truth* state) const;
  /// The expression left when the known states are put in. Writes into `reduced`, reusing its
  /// memory.
  void Reduce(const Truth* state, Expression* reduced) const;

  /// The same set with fewer literals: the literal operands of an And (Or) hold (fail) for its
  /// other operands, however deep, and both literals of one surface leave nothing (everything).
  /// What has one value in all cases of its surfaces becomes that constant, where there are few:
  /// so a solid less itself is empty. Cost: the size times the depth of the tree, and some times
  /// the size for the cases.
  Expression Simplified() const;
  /// Becomes that, keeping its memory.
  void Simplify();

  bool IsConstant() const { return nodes_.size() == 1 && nodes_[0].kind == Kind::kConstant; }
  bool ConstantValue() const { return nodes_[0].flag; }
  /// Whether it holds nowhere.
  bool IsFalse() const { return IsConstant() && !ConstantValue(); }
  /// True when the expression is a literal or an And of literals only.
  bool IsConjunction() const;
  /// The distinct surfaces that occur, ascending.
  std::vector<int> Surfaces() const;
  /// The same, reusing the memory of `surfaces`.
  void FindSurfaces(std::vector<int>* surfaces) const;
  const std::vector<Node>& nodes() const { return nodes_; }
  /// Index of the node that stands for the whole.
  int Root() const { return static_cast<int>(nodes_.size()) - 1; }

 private:
  static Expression Combine(Kind kind, const std::vector<Expression>& children);

  std::vector<Node> nodes_ = {{Kind::kConstant, false, 0}};
};

/// Visits the literals that hold wherever the expression does, as far as the root shows them.
template <class Visit>
void VisitNecessary(const Expression& expression, const Visit& visit) {
  const auto& nodes = expression.nodes();
  const int root = expression.Root();
  if (nodes[root].kind == Expression::Kind::kLiteral) visit(nodes[root]);
  if (nodes[root].kind != Expression::Kind::kAnd) return;
  for (const int child : Expression::ChildrenOf(nodes.data(), root)) {
    if (nodes[child].kind == Expression::Kind::kLiteral) visit(nodes[child]);
  }
}

/// The truth of the subtree at nodes[root] from that of its literals, truth_of(index of the
/// literal's node), in Kleene's logic. Short-circuits, from the last child to the first.
template <class LiteralTruth>
Truth EvaluateAt(const Expression::Node* nodes, int root, const LiteralTruth& truth_of) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Expression::Kind::kConstant) return ToTruth(node.flag);
  if (node.kind == Expression::Kind::kLiteral) return truth_of(root);
  const bool is_or = node.kind == Expression::Kind::kOr;
  const Truth decisive = is_or ? Truth::kTrue : Truth::kFalse;
  Truth result = is_or ? Truth::kFalse : Truth::kTrue;
  for (const int child : Expression::ChildrenOf(nodes, root)) {
    const Truth truth = EvaluateAt(nodes, child, truth_of);
    if (truth == decisive) return decisive;
    if (truth == Truth::kUnknown) result = Truth::kUnknown;
  }
  return result;
}

/// On which sides of a surface an expression may need to be: of which literals there are any.
struct LiteralSides {
  bool below = false, above = false;

  /// The sides of the surface with psi negated.
  LiteralSides Flipped() const { return {above, below}; }
};

/// The same for the surfaces 0 to count − 1.
void FindSides(const Expression& expression, int count, std::vector<LiteralSides>* sides);

}  // namespace volcontact
