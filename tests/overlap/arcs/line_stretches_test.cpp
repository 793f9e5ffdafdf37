#include "overlap/arcs/lines/line_stretches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace volcontact::testing {
namespace {

constexpr int kSurfaces = 12;

// A random tree of And and Or; surfaces may occur more than once.
Expression RandomExpression(std::mt19937* draw, int depth) {
  const auto below = [draw](unsigned most) { return static_cast<int>((*draw)() % most); };
  if (depth == 0 || below(4) == 0) {
    const int surface = below(kSurfaces);
    return below(2) == 0 ? Expression::Below(surface) : Expression::Above(surface);
  }
  std::vector<Expression> operands;
  for (int n = 2 + below(4); n > 0; --n) operands.push_back(RandomExpression(draw, depth - 1));
  return below(2) == 0 ? Expression::And(operands) : Expression::Or(operands);
}

TEST(LineStretches, HoldWhereTheExpressionDoes) {
  std::mt19937 draw(7);
  std::uniform_real_distribution<double> place(0.0, 1.0);
  LineStretches stretches;
  for (int n = 0; n < 2000; ++n) {
    const Expression expression = RandomExpression(&draw, 3);
    std::vector<std::uint8_t> inside(kSurfaces);
    stretches.Begin(kSurfaces);
    for (int s = 0; s < kSurfaces; ++s) {
      inside[s] = draw() % 2;
      stretches.SetState(s, inside[s] != 0);
      for (unsigned k = draw() % 4; k > 0; --k) stretches.AddCrossing({place(draw), s});
    }
    stretches.Find(expression);
    const auto& crossings = stretches.crossings();
    EXPECT_TRUE(std::ranges::is_sorted(crossings, {}, &LineStretches::Crossing::t));
    for (int at = 0; at <= static_cast<int>(crossings.size()); ++at) {
      if (at > 0) inside[crossings[at - 1].surface] ^= 1;
      const bool is_found = std::ranges::any_of(stretches.inside(), [at](const auto& range) {
        return range.from <= at && at < range.end;
      });
      ASSERT_EQ(is_found, expression.Evaluate(inside.data())) << "sample " << n;
    }
    const auto& ranges = stretches.inside();
    for (std::size_t k = 1; k < ranges.size(); ++k) {
      EXPECT_LT(ranges[k - 1].end, ranges[k].from) << "ranges are next to each other";
    }
  }
}

}  // namespace
}  // namespace volcontact::testing
