// Doubles on either side of rational numbers: exact where there is one, else next to each other.
#include "solids/exact/rational_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace volcontact {
namespace {

using Limits = std::numeric_limits<double>;

void ExpectTight(const Rational& x) {
  const auto [below, above] = IntervalOf(x);
  if (std::isfinite(below)) {
    EXPECT_LE(Rational(below), x);
  }
  if (std::isfinite(above)) {
    EXPECT_GE(Rational(above), x);
  }
  if (below != above) {
    EXPECT_EQ(std::nextafter(below, Limits::infinity()), above);
  }
}

TEST(RationalIntervalTest, DoublesAreThemselves) {
  for (const double x : {0.0, 1.0, -0.1, 1e300, -1e-300, Limits::denorm_min(), Limits::max()}) {
    const auto [below, above] = IntervalOf(Rational(x));
    EXPECT_EQ(below, x);
    EXPECT_EQ(above, x);
  }
}

TEST(RationalIntervalTest, OthersLieBetweenNeighbours) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> mantissa(-2.0, 2.0);
  std::uniform_int_distribution<int> exponent(-1000, 1000);
  for (int i = 0; i < 300; ++i) {
    const Rational a(std::ldexp(mantissa(rng), exponent(rng))), b(mantissa(rng));
    ExpectTight(a / b);
    const auto [below, above] = IntervalOf(a / b);
    EXPECT_EQ(below == above, Rational(below) == a / b);
  }
  const auto [below, above] = IntervalOf(Rational(1) / Rational(3));
  EXPECT_LT(below, above);
}

TEST(RationalIntervalTest, BeyondDoubles) {
  const Rational greatest(Limits::max()), least(Limits::denorm_min());
  EXPECT_EQ(IntervalOf(2 * greatest), std::pair(Limits::max(), Limits::infinity()));
  EXPECT_EQ(IntervalOf(-2 * greatest), std::pair(-Limits::infinity(), -Limits::max()));
  EXPECT_EQ(IntervalOf(least / 3), std::pair(0.0, Limits::denorm_min()));
  EXPECT_EQ(IntervalOf(-least / 3), std::pair(-Limits::denorm_min(), -0.0));
}

}  // namespace
}  // namespace volcontact
