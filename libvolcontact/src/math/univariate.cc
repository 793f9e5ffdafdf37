#include "math/univariate.h"

#include <algorithm>
#include <limits>

namespace volcontact {
namespace {

// The root of a polynomial that is monotone on [lo, hi] and has values of opposite sign there, by
// Newton steps kept inside the shrinking bracket.
double MonotoneRoot(const double* c, int degree, double lo, double hi, double f_lo) {
  const double width = hi - lo;
  double x = 0.5 * (lo + hi);
  for (int iteration = 0; iteration < 64; ++iteration) {
    double f = c[degree], df = 0.0;
    for (int n = degree - 1; n >= 0; --n) {
      df = df * x + f;
      f = f * x + c[n];
    }
    if (f == 0.0) return x;
    ((f < 0.0) == (f_lo < 0.0) ? lo : hi) = x;
    double next = x - f / df;
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    const double step = std::abs(next - x);
    x = next;
    if (step <= 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(x), width)) break;
  }
  return x;
}

}  // namespace

RootList<kMaxUnivariateDegree> SignChanges(const double* c, int degree, double lo, double hi) {
  RootList<kMaxUnivariateDegree> roots;
  if (degree <= 0) return roots;
  RootList<kMaxUnivariateDegree> critical;
  if (degree == 2) {
    if (c[2] != 0.0) critical.Push(-c[1] / (2.0 * c[2]));
  } else if (degree > 2) {
    double derivative[kMaxUnivariateDegree];
    for (int n = 1; n <= degree; ++n) derivative[n - 1] = n * c[n];
    if (degree == 3) {
      const RootList<2> roots2 = SolveQuadratic(derivative[2], derivative[1], derivative[0]);
      for (int n = 0; n < roots2.count; ++n) critical.Push(roots2.x[n]);
    } else {
      critical = SignChanges(derivative, degree - 1, lo, hi);
    }
  }
  double left = lo, f_left = Horner(c, degree, lo);
  for (int i = 0; i <= critical.count; ++i) {
    const double right = i < critical.count ? critical.x[i] : hi;
    if (!(right > left)) continue;
    if (right > hi) break;
    const double f_right = Horner(c, degree, right);
    if (f_right == 0.0 && right < hi) continue;  // touches or passes here: the next part decides
    if ((f_left < 0.0) != (f_right < 0.0)) {
      roots.Push(MonotoneRoot(c, degree, left, right, f_left));
    }
    left = right;
    f_left = f_right;
  }
  if (left < hi) {
    const double f_right = Horner(c, degree, hi);
    if ((f_left < 0.0) != (f_right < 0.0)) {
      roots.Push(MonotoneRoot(c, degree, left, hi, f_left));
    }
  }
  return roots;
}

}  // namespace volcontact
