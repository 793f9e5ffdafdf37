#include "overlap/frame/face_shares.h"

#include <cstddef>
#include <utility>

namespace volcontact {
namespace {

// The sides of a surface that both bodies ask for, as B's.
Owner CommonSides(Owner owner) {
  const int both = static_cast<int>(owner) & (static_cast<int>(Swapped(owner)));
  return static_cast<Owner>(both & static_cast<int>(Owner::kB));
}

// The operands of the set's conjunction, by body: none is of both where no surface is.
OwnExpressions SplitByOwner(const SurfaceSet& set) {
  std::vector<Expression> of_A, of_B;
  const std::vector<Expression::Node>& nodes = set.expression.nodes();
  const auto add = [&](int root) {
    const int begin = root + 1 - nodes[root].Size();
    Expression operand;
    operand.Assign({nodes.begin() + begin, nodes.begin() + root + 1});
    const Owner owner = set.owners[nodes[begin].value];
    if (BelongsToA(owner)) of_A.push_back(operand);
    if (BelongsToB(owner)) of_B.push_back(operand);
  };
  const int root = set.expression.Root();
  if (nodes[root].kind == Expression::Kind::kAnd) {
    for (const int child : Expression::ChildrenOf(nodes.data(), root)) add(child);
  } else {
    add(root);
  }
  return {Expression::And(of_A), Expression::And(of_B)};
}

// What an expression says whichever side of the surface is taken.
Expression OnBothSides(const Expression& own, int surface, std::size_t count) {
  std::vector<Truth> states(count, Truth::kUnknown);
  Expression below, above;
  states[surface] = Truth::kTrue;
  own.Reduce(states.data(), &below);
  states[surface] = Truth::kFalse;
  own.Reduce(states.data(), &above);
  return Expression::And({below, above});
}

}  // namespace

OwnExpressions OwnExpressionsOf(const SurfaceSet& set) {
  if (set.has_common) return {set.of_A, set.of_B};
  return set.expression.IsConstant() ? OwnExpressions() : SplitByOwner(set);
}

void FindFaceShares(const SurfaceSet& set, const LocalProblem& problem,
                    std::vector<FaceShare>* shares) {
  shares->clear();
  if (set.expression.IsConstant()) return;
  thread_local std::vector<int> present, common;
  common.clear();
  problem.expression.FindSurfaces(&present);
  for (const int s : present) {
    if (CommonSides(problem.surfaces[s].owner) != Owner::kNone) common.push_back(s);
  }
  if (common.empty()) return;
  OwnExpressions own = OwnExpressionsOf(set);
  Expression merged = set.expression;
  if (!problem.labels.empty()) {
    for (Expression* expression : {&own.of_A, &own.of_B, &merged}) {
      expression->Relabel(problem.labels, problem.flip);
    }
  }
  const std::size_t count = set.surfaces.size();
  for (const int s : common) {
    for (const auto& [body, factor] : {std::pair{&own.of_A, 0.5}, std::pair{&own.of_B, -0.5}}) {
      const Expression region =
          Expression::And({merged, OnBothSides(*body, s, count)}).Simplified();
      if (region.IsFalse()) continue;
      FaceShare& share = shares->emplace_back(FaceShare{factor, set});
      share.region.expression = region;
      share.region.owners.assign(count, Owner::kNone);
      share.region.owners[s] = CommonSides(problem.surfaces[s].owner);
    }
  }
}

}  // namespace volcontact
