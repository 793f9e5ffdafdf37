// Sines and cosines of several angles at a time.
#pragma once

#include <array>

#include "math/arithmetic/lanes.h"

namespace volcontact {

/// Σ c[k] x^k, in an order that leaves little to wait for.
template <class T>
T EvaluatePolynomial(const std::array<double, 8>& c, const T& x) {
  const T xx = x * x;
  const T low = (c[0] + c[1] * x) + xx * (c[2] + c[3] * x);
  const T high = (c[4] + c[5] * x) + xx * (c[6] + c[7] * x);
  return low + xx * xx * high;
}

/// ±1/n!, 1/(n + 2)! and so on, with signs in turn.
constexpr std::array<double, 8> AlternatingFactorials(int n, double sign) {
  std::array<double, 8> terms = {};
  double factorial = 1.0;
  for (int k = 2; k <= n; ++k) factorial *= k;
  for (double& term : terms) {
    term = sign / factorial;
    factorial *= (n + 1) * (n + 2);
    n += 2;
    sign = -sign;
  }
  return terms;
}

/// The sine and the cosine of an angle of less than a million turns, in radians, each to
/// 1.6e-16: by their series on [−π/4, π/4]. The same bits for T = double and in each of Lanes.
template <class T>
void FindSineCosine(const T& angle, T* sine, T* cosine) {
  // π/2 in parts, whose products with the number of quarter turns are exact but for the last.
  constexpr double kQuarterTurn[] = {1.57079632673412561417, 6.07710050630396597660e-11,
                                     2.02226624879595063154e-21};
  constexpr double kQuarters = 0.63661977236758134308;
  // Added and taken away, it rounds a number of less than 2^51 to the nearest integer.
  constexpr double kRounding = 6755399441055744.0;
  const T quarters = (angle * kQuarters + kRounding) - kRounding;
  const T r = ((angle - quarters * kQuarterTurn[0]) - quarters * kQuarterTurn[1]) -
              quarters * kQuarterTurn[2];
  const T rr = r * r;
  // What is left out is below 1e-18.
  constexpr std::array<double, 8> kOfSine = AlternatingFactorials(3, 1.0),
                                  kOfCosine = AlternatingFactorials(4, 1.0);
  const T near_sine = r - r * (rr * EvaluatePolynomial(kOfSine, rr));
  const T near_cosine = 1.0 - rr * (0.5 - rr * EvaluatePolynomial(kOfCosine, rr));
  // In −2 to 2, where 2 is as good as −2.
  const T around = quarters - 4.0 * ((quarters * 0.25 + kRounding) - kRounding);
  const T even = 1.0 - AbsoluteOf(around), is_odd = AbsoluteOf(even) - 0.5;
  *sine = WhereNegative(is_odd, around * near_cosine, even * near_sine);
  *cosine = WhereNegative(is_odd, -around * near_sine, even * near_cosine);
}

}  // namespace volcontact
