// Univariate polynomials and their real roots.
#pragma once

#include <array>
#include <cmath>

namespace volcontact {

inline constexpr int kMaxUnivariateDegree = 4;

/// Up to N real roots, ascending.
template <int N>
struct RootList {
  int count = 0;
  std::array<double, N> x;

  RootList() = default;  // x is left unset: root lists are made in the innermost loops
  void Push(double root) { x[count++] = root; }
};

/// All real roots of a x² + b x + c, ascending, double roots twice; no root when the polynomial is
/// constant. Each root is accurate relative to itself as far as the discriminant is. Roots may be
/// infinite when a is tiny.
inline RootList<2> SolveQuadratic(double a, double b, double c) {
  RootList<2> roots;
  if (a == 0.0) {
    if (b != 0.0) roots.Push(-c / b);
    return roots;
  }
  const double discriminant = std::fma(b, b, -4.0 * a * c);
  if (!(discriminant >= 0.0)) return roots;
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  const double r0 = q / a;
  const double r1 = q != 0.0 ? c / q : r0;
  roots.Push(r0 < r1 ? r0 : r1);
  roots.Push(r0 < r1 ? r1 : r0);
  return roots;
}

/// Value of a polynomial with ascending coefficients c[0..degree].
inline double Horner(const double* c, int degree, double x) {
  double value = c[degree];
  for (int n = degree - 1; n >= 0; --n) value = value * x + c[n];
  return value;
}

/// The points in (lo, hi) where the polynomial c[0..degree] (ascending, degree <= 4) changes sign,
/// ascending, to rounding. The interval is cut at the derivative's sign changes, so that on each
/// part the polynomial is monotone and a change of sign between its ends is one root: no root is
/// missed but double ones, at which nothing changes sign. The result is consistent with the sign at
/// lo.
RootList<kMaxUnivariateDegree> SignChanges(const double* c, int degree, double lo, double hi);

}  // namespace volcontact
