#include "math/arithmetic/univariate.h"

#include <algorithm>

namespace volcontact {
namespace {

// Parts are halved so often before the critical points are computed instead.
constexpr int kMaxHalvings = 4;
// Halvings alone bring a bracket down to neighbouring doubles in about as many steps.
constexpr int kMaxNewtonSteps = 64;

using Roots = RootList<kMaxUnivariateDegree>;

// The root of a polynomial that has values of opposite sign at lo and hi, the only one between
// them, by Newton steps kept inside the shrinking bracket. A step this small is the last: Newton's
// iteration squares it, but next to another root, where the root itself is as badly determined.
double OnlyRoot(const double* c, int degree, double lo, double hi, bool negative_lo, double start) {
  constexpr double kLastStep = 1e-9;
  double x = start > lo && start < hi ? start : 0.5 * (lo + hi);
  const double last = kLastStep * (hi - lo);
  for (int iteration = 0; iteration < kMaxNewtonSteps; ++iteration) {
    double f = c[degree], df = 0.0;
    for (int n = degree - 1; n >= 0; --n) {
      df = df * x + f;
      f = f * x + c[n];
    }
    if (f == 0.0) return x;
    ((f < 0.0) == negative_lo ? lo : hi) = x;
    const double next = x - f / df;
    // Also where rounding takes the step out of the bracket: its middle would be farther off.
    if (std::abs(next - x) <= last) return std::clamp(next, lo, hi);
    x = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  return x;
}

// A part of the interval, x = middle + half s with s in [-1, 1]: the polynomial in s, and whether
// it is negative at the ends, the same as for the neighbours.
struct Part {
  double middle, half;
  double q[kMaxUnivariateDegree + 1];
  bool negative_lo, negative_hi;
};

// The polynomial c of degree <= 4 about the middle of [lo, hi].
Part MakePart(const double* c, double lo, double hi) {
  const double m = 0.5 * (lo + hi), h = 0.5 * (hi - lo);
  double q[kMaxUnivariateDegree + 1] = {c[0], c[1], c[2], c[3], c[4]};
  for (int i = 0; i < 4; ++i) {
    for (int n = 3; n >= i; --n) q[n] += m * q[n + 1];
  }
  const double h2 = h * h;
  return {m, h, {q[0], h * q[1], h2 * q[2], h * h2 * q[3], h2 * h2 * q[4]}, false, false};
}

void PushBetween(const Part& part, double lo, double hi, bool negative_lo, double start,
                 Roots* roots) {
  roots->Push(part.middle +
              part.half * OnlyRoot(part.q, kMaxUnivariateDegree, lo, hi, negative_lo, start));
}

// The extremum in [-1, 1] of a polynomial without inflection there; an end when it is monotone.
double Extremum(const double* q) {
  const double d[4] = {q[1], 2.0 * q[2], 3.0 * q[3], 4.0 * q[4]};
  const double low = d[0] - d[1] + d[2] - d[3], high = d[0] + d[1] + d[2] + d[3];
  if ((low < 0.0) == (high < 0.0)) return std::abs(low) < std::abs(high) ? -1.0 : 1.0;
  return OnlyRoot(d, 3, -1.0, 1.0, low < 0.0, -d[0] / d[1]);
}

// The roots of a part on which the polynomial has no inflection: one on either side of its
// extremum.
void PushConvex(const Part& part, Roots* roots) {
  const double s = Extremum(part.q);
  const double* q = part.q;
  const double value = Horner(q, kMaxUnivariateDegree, s);
  const double curvature = 2.0 * q[2] + (6.0 * q[3] + 12.0 * q[4] * s) * s;
  // Where the parabola at the extremum has its roots; also next to a double root.
  const double reach = std::sqrt(std::max(0.0, -2.0 * value / curvature));
  const bool negative = value < 0.0;
  if (part.negative_lo != negative) {
    PushBetween(part, -1.0, s, part.negative_lo, s - reach, roots);
  }
  if (part.negative_hi != negative) PushBetween(part, s, 1.0, negative, s + reach, roots);
}

// The roots between the critical points, these by recursion over the derivatives.
void PushBetweenCritical(const double* c, int degree, double lo, double hi, bool negative_lo,
                         bool negative_hi, Roots* roots) {
  Roots critical;
  if (degree == 2) {
    if (c[2] != 0.0) critical.Push(-c[1] / (2.0 * c[2]));
  } else if (degree > 2) {
    double derivative[kMaxUnivariateDegree];
    for (int n = 1; n <= degree; ++n) derivative[n - 1] = n * c[n];
    PushBetweenCritical(derivative, degree - 1, lo, hi, Horner(derivative, degree - 1, lo) < 0.0,
                        Horner(derivative, degree - 1, hi) < 0.0, &critical);
  }
  double left = lo;
  bool negative_left = negative_lo;
  for (int i = 0; i <= critical.count; ++i) {
    const bool last = i == critical.count;
    const double right = last ? hi : critical.x[i];
    if (!last && !(right > left && right < hi)) continue;
    const double f = last ? 0.0 : Horner(c, degree, right);
    if (!last && f == 0.0) continue;  // touches or passes here: the next part decides
    const bool negative_right = last ? negative_hi : f < 0.0;
    if (negative_left != negative_right) {
      roots->Push(OnlyRoot(c, degree, left, right, negative_left, 0.5 * (left + right)));
    }
    left = right;
    negative_left = negative_right;
  }
}

void PushRoots(const Part& part, int halvings, Roots* roots) {
  const double* q = part.q;
  const double q1 = std::abs(q[1]), q2 = std::abs(q[2]), q3 = std::abs(q[3]), q4 = std::abs(q[4]);
  const bool change = part.negative_lo != part.negative_hi;
  if (q1 > 2.0 * q2 + 3.0 * q3 + 4.0 * q4) {
    if (change) PushBetween(part, -1.0, 1.0, part.negative_lo, -q[0] / q[1], roots);
    return;
  }
  if (!change && std::abs(q[0]) > q1 + q2 + q3 + q4) return;
  if (2.0 * q2 > 6.0 * q3 + 12.0 * q4) return PushConvex(part, roots);
  if (halvings == 0) {
    Roots local;
    PushBetweenCritical(q, kMaxUnivariateDegree, -1.0, 1.0, part.negative_lo, part.negative_hi,
                        &local);
    for (int n = 0; n < local.count; ++n) roots->Push(part.middle + part.half * local.x[n]);
    return;
  }
  const bool negative_middle = q[0] < 0.0;
  for (const double side : {-0.5, 0.5}) {
    Part next = MakePart(q, side - 0.5, side + 0.5);
    next.middle = part.middle + part.half * side;
    next.half = 0.5 * part.half;
    next.negative_lo = side < 0.0 ? part.negative_lo : negative_middle;
    next.negative_hi = side < 0.0 ? negative_middle : part.negative_hi;
    PushRoots(next, halvings - 1, roots);
  }
}

}  // namespace

RootList<kMaxUnivariateDegree> SignChanges(const double* c, int degree, double lo, double hi) {
  Roots roots;
  if (degree <= 0) return roots;
  double padded[kMaxUnivariateDegree + 1] = {};
  std::copy(c, c + degree + 1, padded);
  Part part = MakePart(padded, lo, hi);
  part.negative_lo = Horner(c, degree, lo) < 0.0;
  part.negative_hi = Horner(c, degree, hi) < 0.0;
  PushRoots(part, kMaxHalvings, &roots);
  return roots;
}

}  // namespace volcontact
