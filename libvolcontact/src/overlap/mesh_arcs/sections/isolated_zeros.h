// Zeros of smooth functions, for sums along curves. A zero may be missed if the function is almost
// zero around it, because the error of the sum is then as small.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "overlap/arcs/curves/function_zeros.h"

namespace volcontact {

/// Adds the zeros of a function between two points, in ascending order. A cubic polynomial through
/// values and derivatives at the ends decides whether there is a zero. The value in the middle must
/// confirm the polynomial; otherwise the interval is halved. Intervals on which the function is
/// below rounding (2e-14 for coefficients of order one) are skipped. If only a sum along the curve
/// depends on them, the error is as small as the function.
template <class Function>
void AddIsolatedZeros(const Function& at, const FunctionSample& from, const FunctionSample& to,
                      int depth, std::vector<double>* zeros) {
  constexpr int kMostHalvings = 24;
  constexpr double kNoise = 2e-14;
  // kFitTolerance: the polynomial is accepted if its error in the middle is at most this part of
  // the range. kMargin: errors elsewhere are at most this factor times the error in the middle.
  constexpr double kFitTolerance = 0.02, kMargin = 4.0;
  const double h = to.t - from.t;
  const FunctionSample middle = at(from.t + 0.5 * h);
  const double range = std::max({std::abs(from.f), std::abs(to.f), std::abs(middle.f)});
  const double rise = h * std::max(std::abs(from.df), std::abs(to.df));
  if (range + rise <= kNoise) return;
  const double fitted = 0.5 * (from.f + to.f) + 0.125 * h * (from.df - to.df);
  const double error = kMargin * std::abs(middle.f - fitted);
  // A cubic polynomial differs from the values at its ends by less than a quarter of its rise.
  const bool same = (from.f > 0.0) == (to.f > 0.0) && (from.f > 0.0) == (middle.f > 0.0);
  const double least = std::min({std::abs(from.f), std::abs(to.f), std::abs(middle.f)});
  if (same && least > 0.25 * rise + error) return;
  const double step = to.f - from.f;
  const bool monotone =
      from.df * to.df > 0.0 && from.df * step > 0.0 && 3.0 * std::abs(step) > rise;
  if (monotone && error <= kFitTolerance * range) {
    if ((from.f > 0.0) != (to.f > 0.0)) {
      zeros->push_back(zeros_detail::Bracketed(at, from, to));
    }
    return;
  }
  if (depth == kMostHalvings) return;
  AddIsolatedZeros(at, from, middle, depth + 1, zeros);
  AddIsolatedZeros(at, middle, to, depth + 1, zeros);
}

}  // namespace volcontact
