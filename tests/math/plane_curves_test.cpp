// Common zeros of curves: planted ones are found, and what is found is a zero.
#include "math/plane_curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace volcontact {
namespace {

double Value(const Bivariate& f, double t, double u) {
  double sum = 0.0;
  for (int j = 0; j <= f.degree; ++j) {
    for (int k = 0; j + k <= f.degree; ++k) sum += f.c[j][k] * std::pow(t, j) * std::pow(u, k);
  }
  return sum;
}

class PlaneCurvesTest : public testing::Test {
 protected:
  // Through (t, u); terms beyond the first degree are scaled down by `bend`.
  Bivariate Random(int degree, double bend, double t, double u) {
    Bivariate f;
    f.degree = degree;
    for (int j = 0; j <= degree; ++j) {
      for (int k = 0; j + k <= degree; ++k) f.c[j][k] = (j + k > 1 ? bend : 1.0) * Number();
    }
    f.c[0][0] -= Value(f, t, u);
    return f;
  }

  double Number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  bool Found(double t, double u) const {
    return std::any_of(zeros_.begin(), zeros_.end(), [&](const PlanePoint& p) {
      return std::abs(p.t - t) < 1e-8 && std::abs(p.u - u) < 1e-7;
    });
  }

  std::mt19937 random_{7};
  std::vector<PlanePoint> zeros_;
};

TEST_F(PlaneCurvesTest, FindsPlantedZeros) {
  for (int n = 0; n < 8000; ++n) {
    const double t = 0.999 * Number(), u = 0.999 * Number();
    const double bend = std::pow(10.0, -6.0 * std::abs(Number()));
    const Bivariate f = Random(1 + n % 4, bend, t, u), g = Random(1 + n / 4 % 4, 1.0, t, u);
    CommonZeros(f, g, 1e-10, &zeros_);
    EXPECT_TRUE(Found(t, u)) << n << ": " << t << " " << u;
    for (const PlanePoint& p : zeros_) {
      EXPECT_LT(std::abs(Value(f, p.t, p.u)) + std::abs(Value(g, p.t, p.u)), 1e-9) << n;
    }
  }
}

TEST_F(PlaneCurvesTest, FindsZerosOnLines) {
  // Lines are met without any remainder: intervals shrink to points, and rounding decides.
  for (int n = 0; n < 8000; ++n) {
    const double t = std::round(8.0 * Number()) / 8.0 * 0.875, u = 0.999 * Number();
    Bivariate f = Random(2 + n % 3, 1.0, t, u), g;
    g.degree = n % 2 == 0 ? 1 : 4;
    for (int k = 1; k <= g.degree; ++k) g.c[0][k] = Number();
    g.c[0][0] = -Value(g, t, u);
    CommonZeros(f, g, 1e-10, &zeros_);
    EXPECT_TRUE(Found(t, u)) << n << ": " << t << " " << u;
  }
}

TEST_F(PlaneCurvesTest, FindsZerosOneAboveTheOther) {
  Bivariate circle, hyperbola;  // meet at (±1/2, ±1/2)
  circle.degree = hyperbola.degree = 2;
  circle.c[2][0] = circle.c[0][2] = 1.0;
  circle.c[0][0] = -0.5;
  hyperbola.c[2][0] = 1.0;
  hyperbola.c[0][2] = -1.0;
  CommonZeros(circle, hyperbola, 1e-10, &zeros_);
  for (const double t : {-0.5, 0.5}) {
    for (const double u : {-0.5, 0.5}) EXPECT_TRUE(Found(t, u));
  }
  EXPECT_GE(zeros_.size(), 4u);
}

TEST_F(PlaneCurvesTest, ClosePairsAreSeparated) {
  for (double gap = 1e-2; gap > 1e-7; gap *= 0.1) {
    Bivariate parabola, line;  // u = t², u = gap²
    parabola.degree = 2;
    parabola.c[0][1] = -1.0;
    parabola.c[2][0] = 1.0;
    line.degree = 1;
    line.c[0][1] = 1.0;
    line.c[0][0] = -gap * gap;
    CommonZeros(parabola, line, 1e-10, &zeros_);
    EXPECT_TRUE(Found(gap, gap * gap) && Found(-gap, gap * gap)) << gap;
  }
}

TEST_F(PlaneCurvesTest, EndsOnCoincidentCurves) {
  const Bivariate f = Random(3, 1.0, 0.1, 0.2);
  CommonZeros(f, f, 1e-10, &zeros_);
  EXPECT_FALSE(zeros_.empty());
}

TEST_F(PlaneCurvesTest, SubstitutesAndDifferentiates) {
  const Bivariate f = Random(4, 1.0, 0.1, 0.2);
  const Bivariate part = f.On(0.3, 0.25, -0.6, 0.125);
  const double step = 1e-6;
  for (int n = 0; n < 20; ++n) {
    const double t = Number(), u = Number();
    EXPECT_NEAR(Value(part, t, u), Value(f, 0.3 + 0.25 * t, -0.6 + 0.125 * u), 1e-14);
    EXPECT_NEAR(Value(f.DerivativeT(), t, u),
                (Value(f, t + step, u) - Value(f, t - step, u)) / (2.0 * step), 1e-8);
    EXPECT_NEAR(Value(f.DerivativeU(), t, u),
                (Value(f, t, u + step) - Value(f, t, u - step)) / (2.0 * step), 1e-8);
  }
}

}  // namespace
}  // namespace volcontact
