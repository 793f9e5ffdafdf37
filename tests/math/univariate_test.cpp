// Roots of polynomials with known roots.
#include "math/arithmetic/univariate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace volcontact {
namespace {

class UnivariateTest : public testing::Test {
 protected:
  double Number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  // Multiplies the polynomial by x² + b x + c (or x + c).
  void MultiplyQuadratic(double b, double c) { Multiply({c, b, 1.0}); }
  void MultiplyLinear(double c) { Multiply({c, 1.0}); }

  void Multiply(const std::vector<double>& factor) {
    std::vector<double> product(c_.size() + factor.size() - 1, 0.0);
    for (std::size_t i = 0; i < c_.size(); ++i) {
      for (std::size_t j = 0; j < factor.size(); ++j) product[i + j] += c_[i] * factor[j];
    }
    c_ = product;
  }

  int degree() const { return static_cast<int>(c_.size()) - 1; }

  std::mt19937 random_{3};
  std::vector<double> c_{1.0};
};

TEST_F(UnivariateTest, FindsRootsInside) {
  int compared = 0;
  for (int n = 0; n < 20000; ++n) {
    const int degree_wanted = 1 + n % kMaxUnivariateDegree;
    c_ = {Number() < 0.0 ? -2.0 : 0.5};
    std::vector<double> roots;
    while (degree() < degree_wanted) {
      if (degree() + 2 <= degree_wanted && Number() < 0.0) {
        const double re = 2.0 * Number(), im = 0.01 + std::abs(Number());
        MultiplyQuadratic(-2.0 * re, re * re + im * im);
      } else {
        roots.push_back(1.5 * Number());
        MultiplyLinear(-roots.back());
      }
    }
    std::sort(roots.begin(), roots.end());
    double gap = 1.0;
    for (std::size_t i = 1; i < roots.size(); ++i) gap = std::min(gap, roots[i] - roots[i - 1]);
    if (gap < 1e-3) continue;
    ++compared;
    const double lo = n % 3 == 0 ? -0.7 + 0.2 * Number() : -1.0;
    const double hi = n % 3 == 0 ? 0.6 + 0.2 * Number() : 1.0;
    std::erase_if(roots, [&](double root) { return root <= lo || root >= hi; });
    const auto found = SignChanges(c_.data(), degree(), lo, hi);
    ASSERT_EQ(found.count, static_cast<int>(roots.size())) << n;
    for (int i = 0; i < found.count; ++i) EXPECT_NEAR(found.x[i], roots[i], 1e-8) << n;
  }
  EXPECT_GE(compared, 10000);
}

TEST_F(UnivariateTest, NearlyDoubleRoots) {
  for (double gap = 1e-2; gap > 1e-6; gap *= 0.1) {
    c_ = {1.0};
    MultiplyLinear(-0.3);
    MultiplyLinear(-0.3 - gap);
    MultiplyQuadratic(0.2, 0.7);
    const auto found = SignChanges(c_.data(), 4, -1.0, 1.0);
    ASSERT_EQ(found.count, 2) << gap;
    EXPECT_NEAR(found.x[0], 0.3, 1e-14 / gap);
    EXPECT_NEAR(found.x[1], 0.3 + gap, 1e-14 / gap);
  }
}

TEST_F(UnivariateTest, CountAgreesWithSignsAtTheEnds) {
  // Clusters of roots at the limit of rounding: however many are seen, their parity is right.
  for (int n = 0; n < 5000; ++n) {
    c_ = {1.0};
    const double center = Number();
    while (degree() < 4) MultiplyLinear(-center - 1e-5 * Number());
    const auto found = SignChanges(c_.data(), 4, -1.0, 1.0);
    const bool change = (Horner(c_.data(), 4, -1.0) < 0.0) != (Horner(c_.data(), 4, 1.0) < 0.0);
    EXPECT_EQ(found.count % 2, change ? 1 : 0) << n;
    EXPECT_TRUE(std::is_sorted(found.x.begin(), found.x.begin() + found.count)) << n;
  }
}

TEST_F(UnivariateTest, QuadraticRootsAreAccurate) {
  const RootList<2> roots = SolveQuadratic(1.0, -1e8, 1.0);
  ASSERT_EQ(roots.count, 2);
  EXPECT_NEAR(roots.x[0] * 1e8, 1.0, 1e-15);
  EXPECT_NEAR(roots.x[1] * 1e-8, 1.0, 1e-15);
  EXPECT_EQ(SolveQuadratic(1.0, 0.0, 1.0).count, 0);
  EXPECT_EQ(SolveQuadratic(0.0, 2.0, -1.0).x[0], 0.5);
}

}  // namespace
}  // namespace volcontact
