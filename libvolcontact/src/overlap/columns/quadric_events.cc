#include "overlap/columns/quadric_events.h"

#include <cmath>

namespace volcontact {
namespace {

// The resultant in z of f = a1 z² + b1 z + c1 and g = b z + c, with b, b1 linear and c, c1
// quadratic in v: a1 c² − b1 (b c) + c1 b². For a1 = 0 the factor b is left out: b1 c − c1 b.
Quartic Resultant(const SliceSurface& first, const SliceSurface& second) {
  const bool swap = std::abs(second.a) > std::abs(first.a);
  const SliceSurface& f = swap ? second : first;
  const SliceSurface& g = swap ? first : second;
  if (f.a == 0.0) {
    return {f.b0 * g.c0 - g.b0 * f.c0, f.b0 * g.c1 + f.b1 * g.c0 - g.b0 * f.c1 - g.b1 * f.c0,
            f.b0 * g.c2 + f.b1 * g.c1 - g.b0 * f.c2 - g.b1 * f.c1, f.b1 * g.c2 - g.b1 * f.c2, 0.0};
  }
  // Eliminate z² first: the member of the pencil without it meets f in the same points.
  const double t = g.a / f.a;
  const double b0 = g.b0 - t * f.b0, b1 = g.b1 - t * f.b1;
  const double c0 = g.c0 - t * f.c0, c1 = g.c1 - t * f.c1, c2 = g.c2 - t * f.c2;
  const double bc0 = b0 * c0, bc1 = b0 * c1 + b1 * c0, bc2 = b0 * c2 + b1 * c1, bc3 = b1 * c2;
  const double bb0 = b0 * b0, bb1 = 2.0 * b0 * b1, bb2 = b1 * b1;
  return {f.a * c0 * c0 - f.b0 * bc0 + f.c0 * bb0,
          f.a * 2.0 * c0 * c1 - (f.b0 * bc1 + f.b1 * bc0) + (f.c0 * bb1 + f.c1 * bb0),
          f.a * (2.0 * c0 * c2 + c1 * c1) - (f.b0 * bc2 + f.b1 * bc1) +
              (f.c0 * bb2 + f.c1 * bb1 + f.c2 * bb0),
          f.a * 2.0 * c1 * c2 - (f.b0 * bc3 + f.b1 * bc2) + (f.c1 * bb2 + f.c2 * bb1),
          f.a * c2 * c2 - f.b1 * bc3 + f.c2 * bb2};
}

}  // namespace

Quartic QuadricEventPolynomial(EventSource::Kind kind, const SliceSurface& f,
                               const SliceSurface& g) {
  switch (kind) {
    case EventSource::Kind::kSilhouette:
      return {f.b0 * f.b0 - 4.0 * f.a * f.c0, 2.0 * f.b0 * f.b1 - 4.0 * f.a * f.c1,
              f.b1 * f.b1 - 4.0 * f.a * f.c2, 0.0, 0.0};
    case EventSource::Kind::kWall:
      return {f.c0, f.c1, f.c2, 0.0, 0.0};
    case EventSource::Kind::kPair:
      break;
  }
  return Resultant(f, g);
}

bool HasNoRoot(const Quartic& p, double lo, double hi) {
  const double m = 0.5 * (lo + hi), h = 0.5 * (hi - lo);
  const double q3 = p[3] + 4.0 * p[4] * m;
  const double q2 = p[2] + (3.0 * p[3] + 6.0 * p[4] * m) * m;
  const double q1 = p[1] + (2.0 * p[2] + (3.0 * p[3] + 4.0 * p[4] * m) * m) * m;
  const double q0 = p[0] + (p[1] + (p[2] + (p[3] + p[4] * m) * m) * m) * m;
  const double rest =
      h * (std::abs(q1) + h * (std::abs(q2) + h * (std::abs(q3) + h * std::abs(p[4]))));
  // The margin covers the rounding of the shift; a root that it hides is found below.
  return std::abs(q0) > (1.0 + 1e-12) * rest;
}

}  // namespace volcontact
