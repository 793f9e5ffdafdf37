#include "integration/event_polynomial.h"

#include <array>
#include <cmath>

namespace volcontact {
namespace {

// The coefficients in z of a surface's column polynomial, as polynomials in v.
struct ColumnCoefficients {
  std::array<Univariate, 5> z;

  explicit ColumnCoefficients(const SliceSurface& s) {
    if (s.degree <= 2) {
      z = {Univariate{s.c0, s.c1, s.c2}, Univariate{s.b0, s.b1}, Univariate{s.a}};
      return;
    }
    for (int k = 0; k <= s.degree; ++k) {
      z[k].degree = s.degree - k;
      for (int j = 0; j <= s.degree - k; ++j) z[k].c[j] = s.q[j][k];
    }
  }
};

Univariate QuadraticDiscriminant(const SliceSurface& s) {
  return {s.b0 * s.b0 - 4.0 * s.a * s.c0, 2.0 * s.b0 * s.b1 - 4.0 * s.a * s.c1,
          s.b1 * s.b1 - 4.0 * s.a * s.c2};
}

// 27 times the discriminant of a z⁴ + b z³ + c z² + d z + e, by its invariants: 4 I³ − J². For a = 0 it
// is b² times the cubic's.
Univariate QuarticDiscriminant(const SliceSurface& s) {
  const ColumnCoefficients p(s);
  const Univariate &a = p.z[4], &b = p.z[3], &c = p.z[2], &d = p.z[1], &e = p.z[0];
  const Univariate I = 12.0 * (a * e) - 3.0 * (b * d) + c * c;
  const Univariate J = c * (72.0 * (a * e) + 9.0 * (b * d) - 2.0 * (c * c)) -
                       27.0 * (a * (d * d)) - 27.0 * (e * (b * b));
  return 4.0 * (I * I * I) - J * J;
}

// The resultant in z of f = a1 z² + b1 z + c1 and g = b z + c, with b, c, b1, c1 polynomials in v:
// a1 c² − b1 b c + c1 b². For a1 = 0 the factor b is left out.
Univariate QuadricResultant(const SliceSurface& first, const SliceSurface& second) {
  const bool swap = std::abs(second.a) > std::abs(first.a);
  const SliceSurface& f = swap ? second : first;
  const SliceSurface& g = swap ? first : second;
  const Univariate b1{f.b0, f.b1}, c1{f.c0, f.c1, f.c2};
  if (f.a == 0.0) return b1 * Univariate{g.c0, g.c1, g.c2} - c1 * Univariate{g.b0, g.b1};
  // Eliminate z² first: the member of the pencil without it meets f in the same points.
  const double t = g.a / f.a;
  const Univariate b{g.b0 - t * f.b0, g.b1 - t * f.b1};
  const Univariate c{g.c0 - t * f.c0, g.c1 - t * f.c1, g.c2 - t * f.c2};
  return f.a * (c * c) - b1 * (b * c) + c1 * (b * b);
}

// The resultant in z of a surface f of degree 3 or 4 and a quadric g = a z² + b z + c. For a = 0 it is
// f at z = −c/b times b⁴; else f is reduced to r1 z + r0 modulo g first.
Univariate QuarticResultant(const SliceSurface& f, const SliceSurface& g) {
  ColumnCoefficients p(f);
  const Univariate b{g.b0, g.b1}, c{g.c0, g.c1, g.c2};
  if (g.a == 0.0) {
    Univariate value = p.z[f.degree], power = b;
    for (int k = f.degree - 1; k >= 0; --k) {
      value = p.z[k] * power - value * c;
      if (k > 0) power = power * b;
    }
    return value;
  }
  for (int k = f.degree; k >= 2; --k) {
    p.z[k - 1] = p.z[k - 1] - (1.0 / g.a) * (p.z[k] * b);
    p.z[k - 2] = p.z[k - 2] - (1.0 / g.a) * (p.z[k] * c);
  }
  const Univariate &r1 = p.z[1], &r0 = p.z[0];
  return g.a * (r0 * r0) - b * (r0 * r1) + c * (r1 * r1);
}

}  // namespace

Univariate EventPolynomial(const EventSource& source, const SliceSurface& f,
                           const SliceSurface& g) {
  switch (source.kind) {
    case EventSource::Kind::kSilhouette:
      return f.degree > 2 ? QuarticDiscriminant(f) : QuadraticDiscriminant(f);
    case EventSource::Kind::kWall:
      if (f.degree > 2) return ColumnCoefficients(f).z[0];
      return {f.c0, f.c1, f.c2};
    case EventSource::Kind::kPair:
      break;
  }
  if (f.degree > 2) return QuarticResultant(f, g);
  if (g.degree > 2) return QuarticResultant(g, f);
  return QuadricResultant(f, g);
}

}  // namespace volcontact
