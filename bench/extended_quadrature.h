// Integrals in extended precision.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace volcontact::bench {

using Real = long double;
inline constexpr Real kPi = std::numbers::pi_v<Real>;

/// Integral of f over [a, b] by a Gauss–Legendre rule of 80 nodes, made by Newton's iteration.
template <class Function>
Real Integrate(Real a, Real b, Function&& f) {
  constexpr int kNodes = 80;
  static const auto rule = [] {
    std::vector<std::pair<Real, Real>> nodes;
    for (int i = 0; i < kNodes; ++i) {
      Real x = std::cos(kPi * (i + 0.75L) / (kNodes + 0.5L)), slope = 0.0L;
      for (int step = 0; step < 20; ++step) {
        Real p = x, previous = 1.0L;  // P_1 and P_0
        for (int n = 2; n <= kNodes; ++n) {
          previous = std::exchange(p, ((2 * n - 1) * x * p - (n - 1) * previous) / n);
        }
        slope = kNodes * (x * p - previous) / (x * x - 1.0L);
        x -= p / slope;
      }
      nodes.emplace_back(x, 2.0L / ((1.0L - x * x) * slope * slope));
    }
    return nodes;
  }();
  const Real center = (a + b) / 2, half = (b - a) / 2;
  Real sum = 0.0L;
  for (const auto& [x, weight] : rule) sum += weight * f(center + half * x);
  return half * sum;
}

/// Integral of f over [a, b] where f has square-root ends: x = a + (b − a) sin²(φ/2).
template <class Function>
Real IntegrateRootEnds(Real a, Real b, Function&& f) {
  return Integrate(0.0L, kPi, [&](Real phi) {
    const Real s = std::sin(phi / 2);
    return f(a + (b - a) * s * s) * (b - a) * std::sin(phi) / 2;
  });
}

}  // namespace volcontact::bench
