#include "solids/implicit/expression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "solids/implicit/expand_shared.h"

namespace volcontact {
namespace {

constexpr int kSurfaces = 6;
constexpr int kTrials = 2000;

class ExpressionTest : public testing::Test {
 protected:
  int Random(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  Expression RandomExpression(int depth) {
    const int kind = depth == 0 ? 0 : Random(8);
    if (kind <= 2) {
      const int surface = Random(kSurfaces);
      return Random(2) == 1 ? Expression::Above(surface) : Expression::Below(surface);
    }
    if (kind == 3 && Random(4) == 0) return Expression::Constant(Random(2) == 1);
    std::vector<Expression> children(1 + Random(4));
    for (Expression& child : children) child = RandomExpression(depth - 1);
    const Expression result = Random(2) == 0 ? Expression::And(children) : Expression::Or(children);
    return Random(4) == 0 ? result.Complement() : result;
  }

  std::vector<Truth> RandomState() {
    std::vector<Truth> state(kSurfaces);
    for (Truth& truth : state) truth = static_cast<Truth>(Random(3));
    return state;
  }

  std::mt19937 random_{11};
};

std::vector<std::uint8_t> Assignment(unsigned bits) {
  std::vector<std::uint8_t> inside(kSurfaces);
  for (int s = 0; s < kSurfaces; ++s) inside[s] = (bits >> s) & 1u;
  return inside;
}

bool Agrees(const std::vector<std::uint8_t>& inside, const std::vector<Truth>& state) {
  for (int s = 0; s < kSurfaces; ++s) {
    if (state[s] != Truth::kUnknown && (state[s] == Truth::kTrue) != (inside[s] != 0)) return false;
  }
  return true;
}

// The value by plain recursion over the definition of the node array.
bool BruteForce(const Expression& expression, const std::vector<std::uint8_t>& inside) {
  std::vector<std::pair<bool, int>> stack;  // value and subtree size
  for (const Expression::Node& node : expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral) {
      stack.push_back({(inside[node.value] != 0) != node.flag, 1});
    } else if (node.kind == Expression::Kind::kConstant) {
      stack.push_back({node.flag, 1});
    } else {
      const bool is_and = node.kind == Expression::Kind::kAnd;
      bool value = is_and;
      for (int left = node.value; left > 0;) {
        value = is_and ? value && stack.back().first : value || stack.back().first;
        left -= stack.back().second;
        stack.pop_back();
      }
      stack.push_back({value, node.value + 1});
    }
  }
  EXPECT_EQ(stack.size(), 1u);
  return stack.back().first;
}

TEST_F(ExpressionTest, EvaluateAgreesWithTheDefinition) {
  for (int n = 0; n < kTrials; ++n) {
    const Expression e = RandomExpression(4), complement = e.Complement();
    for (unsigned bits = 0; bits < 1u << kSurfaces; ++bits) {
      const auto inside = Assignment(bits);
      ASSERT_EQ(e.Evaluate(inside.data()), BruteForce(e, inside));
      ASSERT_NE(e.Evaluate(inside.data()), complement.Evaluate(inside.data()));
    }
  }
}

TEST_F(ExpressionTest, EightCasesAtOnce) {
  for (int n = 0; n < kTrials; ++n) {
    const Expression e = RandomExpression(4);
    for (unsigned first = 0; first < 1u << kSurfaces; first += 8) {
      std::vector<std::uint8_t> cases(kSurfaces, 0);
      for (unsigned k = 0; k < 8; ++k) {
        const auto inside = Assignment(first + k);
        for (int s = 0; s < kSurfaces; ++s) cases[s] |= inside[s] << k;
      }
      const std::uint8_t values = e.EvaluateCases(cases.data());
      for (unsigned k = 0; k < 8; ++k) {
        ASSERT_EQ((values >> k & 1) != 0, e.Evaluate(Assignment(first + k).data()));
      }
    }
  }
}

// What the three-valued logic knows holds for every completion of the state.
TEST_F(ExpressionTest, ThreeValuedEvaluateIsNeverWrong) {
  int known = 0;
  for (int n = 0; n < kTrials; ++n) {
    const Expression e = RandomExpression(4);
    const std::vector<Truth> state = RandomState();
    const Truth truth = e.Evaluate(state.data());
    if (truth == Truth::kUnknown) continue;
    ++known;
    for (unsigned bits = 0; bits < 1u << kSurfaces; ++bits) {
      const auto inside = Assignment(bits);
      if (!Agrees(inside, state)) continue;
      ASSERT_EQ(e.Evaluate(inside.data()), truth == Truth::kTrue);
    }
  }
  EXPECT_GE(known, kTrials / 10);
}

TEST_F(ExpressionTest, ThreeValuedEvaluateDecidesReadOnceExpressions) {
  const Expression e = Expression::Or(
      {Expression::And({Expression::Below(0), Expression::Above(1)}), Expression::Below(2)});
  const Truth t = Truth::kTrue, f = Truth::kFalse, u = Truth::kUnknown;
  EXPECT_EQ(e.Evaluate(std::vector<Truth>{u, t, f}.data()), f);
  EXPECT_EQ(e.Evaluate(std::vector<Truth>{u, f, f}.data()), u);
  EXPECT_EQ(e.Evaluate(std::vector<Truth>{u, u, t}.data()), t);
}

TEST_F(ExpressionTest, ReduceKeepsTheValueAndDropsTheKnown) {
  Expression reduced = Expression::Constant(true);
  for (int n = 0; n < kTrials; ++n) {
    const Expression e = RandomExpression(4);
    const std::vector<Truth> state = RandomState();
    e.Reduce(state.data(), &reduced);
    for (const int s : reduced.Surfaces()) ASSERT_EQ(state[s], Truth::kUnknown);
    for (unsigned bits = 0; bits < 1u << kSurfaces; ++bits) {
      const auto inside = Assignment(bits);
      if (!Agrees(inside, state)) continue;
      ASSERT_EQ(e.Evaluate(inside.data()), reduced.Evaluate(inside.data()));
      ASSERT_EQ(reduced.Evaluate(inside.data()), BruteForce(reduced, inside));
    }
  }
}

TEST_F(ExpressionTest, SimplifiedKeepsTheValue) {
  for (int n = 0; n < kTrials; ++n) {
    const Expression e = RandomExpression(4), simplified = e.Simplified();
    ASSERT_LE(simplified.nodes().size(), e.nodes().size());
    for (unsigned bits = 0; bits < 1u << kSurfaces; ++bits) {
      const auto inside = Assignment(bits);
      ASSERT_EQ(e.Evaluate(inside.data()), simplified.Evaluate(inside.data()));
    }
  }
}

TEST_F(ExpressionTest, SimplifiedSeesContradictions) {
  const Expression box =
      Expression::And({Expression::Below(0), Expression::Above(1), Expression::Below(2)});
  const Expression nothing = Expression::And({box, box.Complement()}).Simplified();
  ASSERT_TRUE(nothing.IsConstant());
  EXPECT_FALSE(nothing.ConstantValue());
  const Expression everything = Expression::Or({box, box.Complement()}).Simplified();
  ASSERT_TRUE(everything.IsConstant());
  EXPECT_TRUE(everything.ConstantValue());
  EXPECT_EQ(Expression::And({box, box}).Simplified().nodes().size(), 4u);
}

TEST_F(ExpressionTest, ExpandSharedKeepsTheValue) {
  for (int n = 0; n < kTrials; ++n) {
    const Expression e = RandomExpression(4), expanded = ExpandShared(e);
    for (unsigned bits = 0; bits < 1u << kSurfaces; ++bits) {
      const auto inside = Assignment(bits);
      ASSERT_EQ(e.Evaluate(inside.data()), expanded.Evaluate(inside.data()));
    }
  }
}

// On the surface both its literals hold.
TEST_F(ExpressionTest, ExpandSharedLeavesNothingOfAPlaneWithin) {
  // Two cylinders that are cut off: 0 below the plane 2, and 1 above it.
  const Expression lower = Expression::And({Expression::Below(0), Expression::Below(2)});
  const Expression upper = Expression::And({Expression::Below(1), Expression::Above(2)});
  const Expression rest = Expression::Or({lower, upper}).Complement();
  const auto on_plane = [](const Expression& e, bool in_first, bool in_second) {
    return EvaluateAt(e.nodes().data(), e.Root(), [&](int n) {
      const Expression::Node& literal = e.nodes()[n];
      if (literal.value == 2) return Truth::kTrue;
      return ToTruth((literal.value == 0 ? in_first : in_second) != literal.flag);
    });
  };
  EXPECT_EQ(on_plane(rest, true, true), Truth::kTrue);
  const Expression expanded = ExpandShared(rest);
  EXPECT_EQ(on_plane(expanded, true, true), Truth::kFalse);
  EXPECT_EQ(on_plane(expanded, true, false), Truth::kTrue);
  EXPECT_EQ(on_plane(expanded, false, true), Truth::kTrue);
  EXPECT_EQ(ExpandShared(rest.Complement()), rest.Complement());
}

TEST_F(ExpressionTest, RelabelledRenumbersAndFlips) {
  for (int n = 0; n < 200; ++n) {
    const Expression e = RandomExpression(3);
    const Expression relabelled =
        e.Relabelled({5, 4, 3, 2, 1, 0}, {true, false, true, false, true, false});
    for (unsigned bits = 0; bits < 1u << kSurfaces; ++bits) {
      const auto inside = Assignment(bits);
      auto mapped = inside;
      for (int s = 0; s < kSurfaces; ++s) mapped[5 - s] = s % 2 == 0 ? !inside[s] : inside[s];
      ASSERT_EQ(e.Evaluate(inside.data()), relabelled.Evaluate(mapped.data()));
    }
  }
}

TEST_F(ExpressionTest, ConstantsFoldAndKindsMerge) {
  const Expression s0 = Expression::Below(0), s1 = Expression::Below(1);
  EXPECT_TRUE(Expression::And({}).ConstantValue());
  EXPECT_FALSE(Expression::Or({}).ConstantValue());
  EXPECT_TRUE(Expression::And({s0, Expression::Constant(false)}).IsConstant());
  const Expression merged = Expression::And({s0, Expression::And({s1, s0})});
  EXPECT_EQ(merged.nodes().size(), 4u);
  EXPECT_TRUE(merged.IsConjunction());
  EXPECT_TRUE(s0.IsConjunction());
  EXPECT_FALSE(Expression::Or({s0, s1}).IsConjunction());
  EXPECT_EQ(merged.Surfaces(), (std::vector<int>{0, 1}));
}

TEST_F(ExpressionTest, ChildrenRunFromTheLastToTheFirst) {
  const Expression inner = Expression::Or({Expression::Below(1), Expression::Above(2)});
  const Expression e = Expression::And({Expression::Below(0), inner, Expression::Below(3)});
  std::vector<int> children;
  for (const int child : Expression::ChildrenOf(e.nodes().data(), e.Root())) {
    children.push_back(child);
  }
  EXPECT_EQ(children, (std::vector<int>{4, 3, 0}));
  for (const int child : Expression::ChildrenOf(e.nodes().data(), 0)) {
    ADD_FAILURE() << "a literal has the child " << child;
  }
}

// A surface whose inside is what one surface's inside and another's outside have in common.
TEST_F(ExpressionTest, SplitSurfaceReplacesItByBothItsParts) {
  for (int trial = 0; trial < kTrials; ++trial) {
    const Expression expression = RandomExpression(3);
    const int surface = Random(kSurfaces - 2);
    const bool positive = Random(2) == 1;
    const int outer = kSurfaces - 2, inner = kSurfaces - 1;
    const std::vector<int> used = expression.Surfaces();
    if (std::find(used.begin(), used.end(), outer) != used.end()) continue;
    if (std::find(used.begin(), used.end(), inner) != used.end()) continue;
    const Expression split = expression.SplitSurface(surface, positive, outer, inner);
    for (unsigned bits = 0; bits < (1u << kSurfaces); ++bits) {
      std::vector<std::uint8_t> inside = Assignment(bits);
      const bool within = inside[outer] != 0 && inside[inner] == 0;
      inside[surface] = within != positive;
      EXPECT_EQ(split.Evaluate(inside.data()), expression.Evaluate(inside.data()));
    }
  }
}

}  // namespace
}  // namespace volcontact
