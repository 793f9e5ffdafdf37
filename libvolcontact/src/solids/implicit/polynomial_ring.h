// Polynomials as elements of a ring, for primitive_surfaces.h.
#pragma once

#include <algorithm>
#include <array>

#include "math/arithmetic/polynomial.h"
#include "solids/implicit/primitive_surfaces.h"

namespace volcontact {

/// A polynomial in three variables of degree at most four that can be added and multiplied, over
/// numbers T. Products beyond degree four are a programming error.
template <class T>
struct PolynomialElement {
  Polynomial<T> f;

  PolynomialElement() = default;
  explicit PolynomialElement(const T& constant) { f.c[kOne] = constant; }
  explicit PolynomialElement(double constant) : PolynomialElement(T(constant)) {}

  /// The coordinates x, y, z.
  static std::array<PolynomialElement, 3> Coordinates() {
    std::array<PolynomialElement, 3> result;
    for (int axis = 0; axis < 3; ++axis) {
      result[axis].f.degree = 1;
      result[axis].f.c[kX + axis] = T(1.0);
    }
    return result;
  }

  friend PolynomialElement operator*(const PolynomialElement& a, const T& b) {
    PolynomialElement result = a;
    for (int m = 0; m < a.f.size(); ++m) result.f.c[m] = a.f.c[m] * b;
    return result;
  }

  friend PolynomialElement operator+(const PolynomialElement& a, const PolynomialElement& b) {
    PolynomialElement result = a.f.degree >= b.f.degree ? a : b;
    const PolynomialElement& lower = a.f.degree >= b.f.degree ? b : a;
    for (int m = 0; m < lower.f.size(); ++m) result.f.c[m] = result.f.c[m] + lower.f.c[m];
    return result;
  }

  friend PolynomialElement operator-(const PolynomialElement& a, const PolynomialElement& b) {
    return a + b * T(-1.0);
  }

  friend PolynomialElement operator*(const PolynomialElement& a, const PolynomialElement& b) {
    PolynomialElement result;
    result.f.degree = a.f.degree + b.f.degree;
    for (int m = 0; m < a.f.size(); ++m) {
      if (internal::IsZero(a.f.c[m])) continue;
      const auto& d = kMonomialExponents[m];
      for (int n = 0; n < b.f.size(); ++n) {
        const auto& e = kMonomialExponents[n];
        T& c = result.f.c[MonomialIndex(d[0] + e[0], d[1] + e[1], d[2] + e[2])];
        c = c + a.f.c[m] * b.f.c[n];
      }
    }
    return result;
  }
};

template <class T>
struct ScalarOf<PolynomialElement<T>> {
  using Type = T;
};

/// Lowers the degree past leading coefficients that are exactly zero.
template <class T>
void Trim(Polynomial<T>* f) {
  while (f->degree > 0 && std::all_of(f->c.begin() + kMonomialCount[f->degree - 1],
                                      f->c.begin() + f->size(), internal::IsZero<T>)) {
    --f->degree;
  }
}

}  // namespace volcontact
