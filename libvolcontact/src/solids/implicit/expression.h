// Boolean expressions over surfaces.
#pragma once

#include <cstdint>
#include <vector>

namespace volcontact {

enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

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
    /// kLiteral: the surface's index; kAnd, kOr: the number of nodes in the subtree below this one
    /// (the children are found by walking back over their subtrees).
    int value;
  };

  /// Number of nodes of the subtree that ends with a node.
  static int Size(const Node& node) {
    return node.kind == Kind::kAnd || node.kind == Kind::kOr ? node.value + 1 : 1;
  }

  Expression() = default;

  static Expression Constant(bool value);
  static Expression Literal(int surface, bool negated);
  /// n-ary combinations; nested nodes of the same kind are merged, constants folded.
  static Expression And(const std::vector<Expression>& children);
  static Expression Or(const std::vector<Expression>& children);
  Expression Complement() const;

  /// The same expression with surface s replaced by surfaces[s], its literal flipped when flip[s].
  Expression Relabelled(const std::vector<int>& surfaces, const std::vector<bool>& flip) const;

  /// The same expression with the inside of a surface, psi_s <= 0 (or >= 0 when `positive`),
  /// replaced by psi_outer <= 0 and psi_inner >= 0.
  Expression SplitSurface(int surface, bool positive, int outer, int inner) const;

  /// Value when the inside-state of every surface is known: inside[s] nonzero iff psi_s <= 0.
  bool Evaluate(const std::uint8_t* inside) const;
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

  bool IsConstant() const { return nodes_.size() == 1 && nodes_[0].kind == Kind::kConstant; }
  bool ConstantValue() const { return nodes_[0].flag; }
  /// True when the expression is a literal or an And of literals only.
  bool IsConjunction() const;
  /// The distinct surfaces that occur, ascending.
  std::vector<int> Surfaces() const;
  /// The same, reusing the memory of `surfaces`.
  void FindSurfaces(std::vector<int>* surfaces) const;
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  static Expression Combine(Kind kind, const std::vector<Expression>& children);

  std::vector<Node> nodes_ = {{Kind::kConstant, false, 0}};
};

}  // namespace volcontact
