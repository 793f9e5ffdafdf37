#include "math/arithmetic/polynomial.h"

#include <CGAL/Exact_rational.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/arithmetic/double_double.h"
#include "math/rigid.h"

namespace volcontact::polynomial_test {
namespace {

using Rational = CGAL::Exact_rational;
using Matrix = std::array<std::array<Rational, 3>, 3>;

Rational Exact(const DoubleDouble& a) { return Rational(a.hi) + Rational(a.lo); }

class SubstituteTest : public testing::TestWithParam<int> {
 protected:
  double Uniform() { return std::uniform_real_distribution<double>(-2.0, 2.0)(random_); }

  // Some coefficients are zero, as in real surfaces.
  Polynomial<double> Random() {
    Polynomial<double> f;
    f.degree = GetParam();
    for (int m = 0; m < f.size(); ++m) f.c[m] = random_() % 3 == 0 ? 0.0 : Uniform();
    return f;
  }

  std::mt19937_64 random_{7};
};

template <class To, class From>
Polynomial<To> Convert(const Polynomial<From>& f) {
  Polynomial<To> result;
  result.degree = f.degree;
  for (int m = 0; m < f.size(); ++m) result.c[m] = To(f.c[m]);
  return result;
}

TEST(MonomialIndexTest, IsTheInverseOfTheExponents) {
  for (int m = 0; m < kMonomialCount[kMaxDegree]; ++m) {
    const auto& e = kMonomialExponents[m];
    EXPECT_EQ(MonomialIndex(e[0], e[1], e[2]), m);
  }
  EXPECT_EQ(MonomialIndex(1, 1, 0), kXY);
  EXPECT_EQ(MonomialIndex(0, 0, 2), kZZ);
  EXPECT_EQ(ProductIndex(2, 1), kYZ);
  EXPECT_EQ(ProductIndex(0, 0), kXX);
  EXPECT_EQ(FirstOfDegree(0), kOne);
  EXPECT_EQ(FirstOfDegree(2), kXX);
}

// f(x) = f(0) + x·(g + ½ H x).
TEST(HessianTest, GivesTheQuadricTogetherWithItsLinearPart) {
  Polynomial<double> f;
  f.degree = 2;
  for (int m = 0; m < f.size(); ++m) f.c[m] = 0.25 * (m + 1);
  const Eigen::Vector3d x(0.5, -0.25, 2.0);
  const double value = f.c[kOne] + x.dot(LinearPart(f) + 0.5 * (Hessian(f) * x));
  EXPECT_DOUBLE_EQ(value, f(x.x(), x.y(), x.z()));
  const auto rows = SecondDerivatives(f);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(rows[i][j], Hessian(f)(i, j));
  }
  f.degree = 1;
  EXPECT_TRUE(Hessian(f).isZero(0.0));
}

TEST_P(SubstituteTest, IsExactInExactArithmetic) {
  for (int n = 0; n < 20; ++n) {
    const Polynomial<Rational> f = Convert<Rational>(Random());
    Matrix M;
    std::array<Rational, 3> p, y, x;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) M[i][j] = Rational(Uniform());
      p[i] = Rational(Uniform());
      y[i] = Rational(Uniform());
    }
    for (int i = 0; i < 3; ++i) x[i] = M[i][0] * y[0] + M[i][1] * y[1] + M[i][2] * y[2] + p[i];
    EXPECT_EQ(Substitute(f, M, p)(y[0], y[1], y[2]), f(x[0], x[1], x[2]));
  }
}

TEST_P(SubstituteTest, KeepsDoubleDoubleDigitsUnderRigidMotions) {
  const Rigid X(Pose{{100.0, -37.5, 12.25}, {0.2, 0.4, 0.4, 0.8}});
  Matrix M;
  std::array<Rational, 3> p;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) M[i][j] = Exact(X.R[i][j]);
    p[i] = Exact(X.t[i]);
  }
  const Polynomial<double> f = Random();
  const Polynomial<DoubleDouble> rounded = Substitute(Convert<DoubleDouble>(f), X.R, X.t);
  const Polynomial<Rational> exact = Substitute(Convert<Rational>(f), M, p);
  for (int m = 0; m < f.size(); ++m) {
    const double error = CGAL::to_double(Rational(Exact(rounded.c[m]) - exact.c[m]));
    const auto& e = kMonomialExponents[m];
    // The scale of coefficients of this degree: sums of products with |p| up to 100.
    const double scale = std::pow(300.0, f.degree - (e[0] + e[1] + e[2]));
    EXPECT_LE(std::abs(error), 1e-29 * scale) << m;
  }
}

TEST_P(SubstituteTest, DerivativesAreThoseOfTheLine) {
  const Polynomial<double> f = Random();
  const Eigen::Vector3d p(0.3, -0.4, 0.7), v(0.5, 0.2, -0.6);
  const Polynomial<double> derivative = DerivativeAlong(f, v);
  // Central differences of second order, made exact for degree four by Richardson's step.
  const auto difference = [&](double h) {
    const Eigen::Vector3d a = p + h * v, b = p - h * v;
    return (f(a.x(), a.y(), a.z()) - f(b.x(), b.y(), b.z())) / (2.0 * h);
  };
  EXPECT_NEAR(derivative(p.x(), p.y(), p.z()), (4.0 * difference(0.25) - difference(0.5)) / 3.0,
              1e-13);
}

INSTANTIATE_TEST_SUITE_P(Degrees, SubstituteTest, testing::Values(0, 1, 2, 3, 4));

}  // namespace
}  // namespace volcontact::polynomial_test
