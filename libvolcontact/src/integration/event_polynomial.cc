#include "integration/event_polynomial.h"

#include <array>

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
  if (source.kind == EventSource::Kind::kSilhouette) return QuarticDiscriminant(f);
  if (source.kind == EventSource::Kind::kWall) return ColumnCoefficients(f).z[0];
  return f.degree > 2 ? QuarticResultant(f, g) : QuarticResultant(g, f);
}

}  // namespace volcontact
