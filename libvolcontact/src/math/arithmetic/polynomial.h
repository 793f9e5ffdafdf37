// Trivariate polynomials of degree at most four.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace volcontact {

inline constexpr int kMaxDegree = 4;
/// Number of monomials of degree <= d: 1, 4, 10, 20, 35.
inline constexpr std::array<int, kMaxDegree + 1> kMonomialCount = {1, 4, 10, 20, 35};

/// Index of x^i y^j z^k in graded order: degree by degree, within a degree by falling i, then j, so
/// 1; x y z; xx xy xz yy yz zz; xxx …
constexpr int MonomialIndex(int i, int j, int k) {
  const int degree = i + j + k;
  const int rest = j + k;
  return (degree == 0 ? 0 : kMonomialCount[degree - 1]) + rest * (rest + 1) / 2 + k;
}

/// Names of the coefficients up to degree two: c[kOne] is the constant term, c[kX + i] that of the
/// coordinate i, c[kXY] that of x y.
inline constexpr int kOne = 0, kX = 1, kY = 2, kZ = 3;
inline constexpr int kXX = 4, kXY = 5, kXZ = 6, kYY = 7, kYZ = 8, kZZ = 9;
static_assert(kXY == MonomialIndex(1, 1, 0) && kZZ == MonomialIndex(0, 0, 2));

/// Index of the product of the coordinates i and j.
constexpr int ProductIndex(int i, int j) {
  return MonomialIndex((i == 0) + (j == 0), (i == 1) + (j == 1), (i == 2) + (j == 2));
}

/// Index of the first monomial of a degree.
constexpr int FirstOfDegree(int degree) { return degree == 0 ? 0 : kMonomialCount[degree - 1]; }

/// Exponents of each monomial, by index.
constexpr std::array<std::array<std::int8_t, 3>, 35> MakeMonomialExponents() {
  std::array<std::array<std::int8_t, 3>, 35> result{};
  for (int i = 0; i <= kMaxDegree; ++i) {
    for (int j = 0; i + j <= kMaxDegree; ++j) {
      for (int k = 0; i + j + k <= kMaxDegree; ++k) {
        result[MonomialIndex(i, j, k)] = {static_cast<std::int8_t>(i), static_cast<std::int8_t>(j),
                                          static_cast<std::int8_t>(k)};
      }
    }
  }
  return result;
}
inline constexpr auto kMonomialExponents = MakeMonomialExponents();

/// A polynomial with coefficients of number type T; only the first kMonomialCount[degree] are read.
template <class T>
struct Polynomial {
  int degree = 0;
  std::array<T, 35> c{};

  int size() const { return kMonomialCount[degree]; }

  T operator()(const T& x, const T& y, const T& z) const {
    const std::array<T, 5> px = Powers(x), py = Powers(y), pz = Powers(z);
    T sum = c[kOne];
    for (int m = 1; m < size(); ++m) {
      const auto& e = kMonomialExponents[m];
      sum = sum + c[m] * px[e[0]] * py[e[1]] * pz[e[2]];
    }
    return sum;
  }

  Polynomial operator-() const {
    Polynomial result = *this;
    for (int m = 0; m < size(); ++m) result.c[m] = -result.c[m];
    return result;
  }

 private:
  std::array<T, 5> Powers(const T& x) const {
    std::array<T, 5> p{T(1.0), x, T(0.0), T(0.0), T(0.0)};
    for (int n = 2; n <= degree; ++n) p[n] = p[n - 1] * x;
    return p;
  }
};

/// The second derivatives, by rows, of a polynomial of degree two, and zeros of any other.
template <class T>
std::array<std::array<T, 3>, 3> SecondDerivatives(const Polynomial<T>& f) {
  if (f.degree != 2) return {};
  const auto& c = f.c;
  const T two(2.0);
  return {std::array<T, 3>{two * c[kXX], c[kXY], c[kXZ]},
          std::array<T, 3>{c[kXY], two * c[kYY], c[kYZ]},
          std::array<T, 3>{c[kXZ], c[kYZ], two * c[kZZ]}};
}

/// The same as a matrix: f(x) = c[kOne] + x·(LinearPart + ½ Hessian x) up to degree two.
inline Eigen::Matrix3d Hessian(const Polynomial<double>& f) {
  if (f.degree != 2) return Eigen::Matrix3d::Zero();
  const auto& c = f.c;
  Eigen::Matrix3d result;
  result << 2.0 * c[kXX], c[kXY], c[kXZ], c[kXY], 2.0 * c[kYY], c[kYZ], c[kXZ], c[kYZ],
      2.0 * c[kZZ];
  return result;
}

/// The gradient at the origin.
inline Eigen::Vector3d LinearPart(const Polynomial<double>& f) {
  return {f.c[kX], f.c[kY], f.c[kZ]};
}

/// The derivative along a vector.
inline Polynomial<double> DerivativeAlong(const Polynomial<double>& f, const Eigen::Vector3d& v) {
  Polynomial<double> result;
  result.degree = f.degree > 0 ? f.degree - 1 : 0;
  for (int m = 1; m < f.size(); ++m) {
    const auto& e = kMonomialExponents[m];
    for (int i = 0; i < 3; ++i) {
      if (e[i] == 0) continue;
      result.c[MonomialIndex(e[0] - (i == 0), e[1] - (i == 1), e[2] - (i == 2))] +=
          e[i] * v[i] * f.c[m];
    }
  }
  return result;
}

/// Substitutes x = M y + p into a polynomial: the result is the same function of y. M is given by
/// rows. Exact in exact arithmetic; cost about 100 products for degree 2, up to 2000 for degree 4.
template <class T>
Polynomial<T> Substitute(const Polynomial<T>& f, const std::array<std::array<T, 3>, 3>& M,
                         const std::array<T, 3>& p);

}  // namespace volcontact

#include "math/arithmetic/polynomial_substitute.h"  // IWYU pragma: export
