#include "math/arithmetic/double_double.h"

#include <CGAL/Exact_rational.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace volcontact::double_double_test {
namespace {

using Rational = CGAL::Exact_rational;

constexpr double kU = 0x1p-53;

Rational Exact(const DoubleDouble& a) { return Rational(a.hi) + Rational(a.lo); }

double RelativeError(const DoubleDouble& computed, const Rational& exact) {
  if (exact == 0) return computed.hi == 0.0 ? 0.0 : HUGE_VAL;
  return std::abs(CGAL::to_double(Rational((Exact(computed) - exact) / exact)));
}

class DoubleDoubleTest : public testing::Test {
 protected:
  DoubleDouble Random() {
    std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-60, 60);
    const double hi = std::ldexp(mantissa(random_), exponent(random_));
    return FastTwoSum(hi, hi * kU * mantissa(random_));
  }

  std::mt19937_64 random_{20240611};
};

TEST_F(DoubleDoubleTest, RandomOperandsKeepTheErrorBound) {
  for (int n = 0; n < 20000; ++n) {
    const DoubleDouble a = Random(), b = Random();
    EXPECT_LE(RelativeError(a * b, Exact(a) * Exact(b)), 10 * kU * kU);
    EXPECT_LE(RelativeError(a * b.hi, Exact(a) * Rational(b.hi)), 10 * kU * kU);
    EXPECT_LE(RelativeError(a + b, Exact(a) + Exact(b)), 10 * kU * kU);
    EXPECT_LE(RelativeError(a - b, Exact(a) - Exact(b)), 10 * kU * kU);
    EXPECT_LE(RelativeError(a / b, Exact(a) / Exact(b)), 10 * kU * kU);
  }
}

TEST_F(DoubleDoubleTest, SumsKeepTheirDigitsWhenTheyCancel) {
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  for (int n = 0; n < 20000; ++n) {
    const DoubleDouble a = Random();
    const DoubleDouble b =
        FastTwoSum(-a.hi * (1.0 + 4 * kU * mantissa(random_)), a.lo * mantissa(random_));
    EXPECT_LE(RelativeError(a + b, Exact(a) + Exact(b)), 10 * kU * kU);
  }
}

TEST_F(DoubleDoubleTest, OneErrorOfASumOrProductOfDoublesIsExact) {
  for (int n = 0; n < 1000; ++n) {
    const double a = Random().hi, b = Random().hi;
    EXPECT_EQ(Exact(TwoSum(a, b)), Rational(Rational(a) + Rational(b)));
    EXPECT_EQ(Exact(TwoProduct(a, b)), Rational(Rational(a) * Rational(b)));
  }
}

TEST_F(DoubleDoubleTest, SquareRootSquaredIsTheArgument) {
  for (int n = 0; n < 5000; ++n) {
    const DoubleDouble a = Abs(Random());
    const Rational root = Exact(Sqrt(a));
    EXPECT_LE(std::abs(CGAL::to_double(Rational((root * root - Exact(a)) / Exact(a)))),
              32 * kU * kU);
  }
  EXPECT_EQ(Sqrt(0.0), DoubleDouble(0.0));
}

TEST_F(DoubleDoubleTest, OrderLooksAtTheLowPartToo) {
  const DoubleDouble one(1.0), more(1.0, 1e-20), less(1.0, -1e-20);
  EXPECT_TRUE(less < one && one < more && more > less);
  EXPECT_TRUE(one <= one && one >= one && !(one < one));
  EXPECT_EQ(Abs(-more), more);
}

}  // namespace
}  // namespace volcontact::double_double_test
