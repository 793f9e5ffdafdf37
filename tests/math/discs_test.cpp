// Discs hold what functions are on them, and rules are off no more than they tell.
#include "math/arithmetic/discs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "math/quadrature/rule_bounds.h"

namespace volcontact {
namespace {

using Complex = std::complex<double>;

constexpr int kDraws = 2'000, kPointsOfDisc = 24;
constexpr double kRounding = 1e-12;

// A function for numbers and for discs alike.
struct Function {
  std::function<Complex(Complex)> of_number;
  std::function<Discs(const Discs&)> of_discs;
};

Discs SineOf(const Discs& x) {
  Discs sine, cosine;
  FindSineCosine(x, &sine, &cosine);
  return sine;
}

Discs CosineOf(const Discs& x) {
  Discs sine, cosine;
  FindSineCosine(x, &sine, &cosine);
  return cosine;
}

std::vector<Function> Functions() {
  return {
      {[](Complex z) { return std::sin(z); }, SineOf},
      {[](Complex z) { return std::cos(z); }, CosineOf},
      {[](Complex z) { return 1.0 / (z - 1.7); }, [](const Discs& z) { return 1.0 / (z - 1.7); }},
      {[](Complex z) { return std::sqrt(z + 2.0); },
       [](const Discs& z) { return RootOf(z + 2.0); }},
      {[](Complex z) { return z * z * (3.0 - z) / (2.5 + z); },
       [](const Discs& z) { return z * z * (3.0 - z) / (2.5 + z); }},
      {[](Complex z) { return std::sqrt(3.0 + std::cos(2.0 * z)) * std::sin(z) - 2.0 * z; },
       [](const Discs& z) { return RootOf(3.0 + CosineOf(2.0 * z)) * SineOf(z) - 2.0 * z; }}};
}

TEST(Discs, HoldTheValuesOfFunctions) {
  std::mt19937_64 engine(20261127);
  const auto between = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine);
  };
  int finite = 0;
  for (const Function& f : Functions()) {
    for (int n = 0; n < kDraws; ++n) {
      const double center = between(-2.0, 2.0), radius = std::exp(between(-9.0, 0.7));
      const Discs value = f.of_discs(Discs::About(Lanes(center), Lanes(radius)));
      if (!(value.Radius().x[0] < 1e3)) continue;
      ++finite;
      for (int k = 0; k < kPointsOfDisc; ++k) {
        const Complex place = std::polar(1.0, 2.0 * std::numbers::pi * k / kPointsOfDisc);
        const Complex known =
            value.center.x[0] + value.slope.x[0] * place + value.bend.x[0] * place * place;
        ASSERT_LE(std::abs(f.of_number(center + radius * place) - known),
                  value.rest.x[0] + kRounding * (1.0 + value.Magnitude().x[0]))
            << center << " " << radius;
      }
    }
  }
  EXPECT_GT(finite, 4 * kDraws);
}

TEST(Discs, HaveNoBoundAtPolesAndBranchPoints) {
  const Discs around_zero = Discs::About(Lanes(0.1, -0.2, 0.3, 1.0), Lanes(0.11, 0.5, 0.3, 0.5));
  const Lanes inverse = (1.0 / around_zero).Magnitude(), root = RootOf(around_zero).Magnitude();
  for (const int n : {0, 1, 2}) {
    EXPECT_FALSE(inverse.x[n] < 1e300);
    EXPECT_FALSE(root.x[n] < 1e300);
  }
  EXPECT_NEAR(inverse.x[3], 2.0, 1e-14);
  EXPECT_LE(root.x[3], 1.3);
}

TEST(Discs, CoverEllipses) {
  for (const double reach : {1.1, 1.3, 2.0, 3.5}) {
    for (const int packs : {1, 2, 3}) {
      for (int k = 0; k < 500; ++k) {
        // On the ellipse, and on a smaller one in it.
        const Complex w = std::polar(k % 2 == 0 ? reach : 1.0 + 0.4 * (reach - 1.0), 0.0126 * k);
        const Complex z = 0.5 * (w + 1.0 / w);
        bool is_covered = false;
        for (int n = 0; n < packs; ++n) {
          const Discs discs = DiscsAbout(reach, n, packs);
          for (std::size_t lane = 0; lane < Lanes::kCount; ++lane) {
            is_covered |= std::abs(z - discs.center.x[lane]) <= discs.Radius().x[lane];
          }
        }
        ASSERT_TRUE(is_covered) << reach << " " << packs << " " << z;
      }
    }
  }
}

// Rules are off the integral of 1/(x − a), which is logarithmic, by what its largest values on
// discs tell, and not by nothing.
TEST(RuleBounds, BoundTheErrorsOfRules) {
  for (const double a : {1.2, 1.5, 2.0, 4.0}) {
    const double exact = std::log((a - 1.0) / (a + 1.0));
    for (int rule = 1; rule < kPattersonCount; ++rule) {
      double sum = 0.0;
      for (int n = 0; n < kPattersonSizes[rule]; ++n) {
        sum += kPattersonWeights[rule][n] / (kPattersonNodes[n] - a);
      }
      double bound = 1e300;
      for (const double reach : {1.2, 1.3, 1.5, 2.0, 3.5}) {
        double most = 0.0;
        for (int n = 0; n < 2; ++n) {
          const Lanes size = (1.0 / (DiscsAbout(reach, n, 2) - a)).Magnitude();
          for (std::size_t k = 0; k < Lanes::kCount; ++k) most = std::max(most, size.x[k]);
        }
        bound = std::min(bound, most * ErrorOfRule(rule, reach));
      }
      EXPECT_LE(std::abs(sum - exact), bound + 1e-15) << a << " " << rule;
    }
  }
}

}  // namespace
}  // namespace volcontact
