// Polynomials with double-double coefficients as elements of a ring, for primitive_surfaces.h.
#pragma once

#include <algorithm>

#include "math/double_double.h"
#include "math/polynomial.h"
#include "solids/primitive_surfaces.h"

namespace volcontact {

/// A polynomial in three variables of degree at most four that can be added and multiplied. Products
/// beyond degree four are a programming error.
struct PolynomialElement {
  Polynomial<DoubleDouble> f;

  PolynomialElement() = default;
  explicit PolynomialElement(const DoubleDouble& constant) { f.c[0] = constant; }
  explicit PolynomialElement(double constant) : PolynomialElement(DoubleDouble(constant)) {}

  /// The coordinate x, y or z.
  static PolynomialElement Coordinate(int axis) {
    PolynomialElement result;
    result.f.degree = 1;
    result.f.c[1 + axis] = 1.0;
    return result;
  }
};

template <>
struct ScalarOf<PolynomialElement> {
  using Type = DoubleDouble;
};

inline PolynomialElement operator*(const PolynomialElement& a, const DoubleDouble& b) {
  PolynomialElement result = a;
  for (int m = 0; m < a.f.size(); ++m) result.f.c[m] = a.f.c[m] * b;
  return result;
}

inline PolynomialElement operator+(const PolynomialElement& a, const PolynomialElement& b) {
  PolynomialElement result = a.f.degree >= b.f.degree ? a : b;
  const PolynomialElement& lower = a.f.degree >= b.f.degree ? b : a;
  for (int m = 0; m < lower.f.size(); ++m) result.f.c[m] = result.f.c[m] + lower.f.c[m];
  return result;
}

inline PolynomialElement operator-(const PolynomialElement& a, const PolynomialElement& b) {
  return a + b * DoubleDouble(-1.0);
}

inline PolynomialElement operator*(const PolynomialElement& a, const PolynomialElement& b) {
  PolynomialElement result;
  result.f.degree = a.f.degree + b.f.degree;
  for (int m = 0; m < a.f.size(); ++m) {
    if (a.f.c[m] == DoubleDouble(0.0)) continue;
    const auto& d = kMonomialExponents[m];
    for (int n = 0; n < b.f.size(); ++n) {
      const auto& e = kMonomialExponents[n];
      const int product = MonomialIndex(d[0] + e[0], d[1] + e[1], d[2] + e[2]);
      result.f.c[product] = result.f.c[product] + a.f.c[m] * b.f.c[n];
    }
  }
  return result;
}

/// Lowers the degree past leading coefficients that are exactly zero.
inline void Trim(Polynomial<DoubleDouble>* f) {
  const auto is_zero = [](const DoubleDouble& c) { return c == DoubleDouble(0.0); };
  while (f->degree > 0 && std::all_of(f->c.begin() + kMonomialCount[f->degree - 1],
                                      f->c.begin() + f->size(), is_zero)) {
    --f->degree;
  }
}

}  // namespace volcontact
