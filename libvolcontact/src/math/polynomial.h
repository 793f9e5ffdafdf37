// Trivariate polynomials of degree at most four.
#pragma once

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
    T sum = c[0];
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

/// Substitutes x = M y + p into a polynomial: the result is the same function of y. M is given by
/// rows. Exact in exact arithmetic; cost about 100 products for degree 2, up to 2000 for degree 4.
template <class T>
Polynomial<T> Substitute(const Polynomial<T>& f, const std::array<std::array<T, 3>, 3>& M,
                         const std::array<T, 3>& p);

}  // namespace volcontact

#include "math/polynomial_substitute.h"  // IWYU pragma: export
