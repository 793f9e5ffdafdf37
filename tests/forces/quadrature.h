// Quadrature by the midpoint rule, good for integrands without surprises.
#pragma once

namespace volcontact {

/// The integral of f over [a, b], with 200 000 midpoints.
template <class Function>
double Integral(double a, double b, Function f) {
  constexpr int kPoints = 200'000;
  double sum = 0.0;
  for (int i = 0; i < kPoints; ++i) sum += f(a + (b - a) * (i + 0.5) / kPoints);
  return sum * (b - a) / kPoints;
}

}  // namespace volcontact
