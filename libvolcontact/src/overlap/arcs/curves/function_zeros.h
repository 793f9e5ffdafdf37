// All zeros of a smooth function of one variable.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "overlap/arcs/curves/whole_curve.h"

namespace volcontact {

/// A function at a place, with its derivative.
struct FunctionSample {
  double t, f, df;
};

/// What becomes of zeros that are double but for rounding, where a function touches zero from one
/// side.
enum class DoubleZeros {
  kRefused,  ///< they are not reported
  kOnce,     ///< they are zeros, each of them once
};

/// A function that touches zero has no smaller second derivative there, so that it is clear of zero
/// at 1e-3 to either side.
constexpr double kLeastBendOfTouch = 1e-7;

/// Finds the zeros of a function between two places, in ascending order: where a polynomial of
/// third degree through values and derivatives, with the error that the function's fourth
/// derivative allows it, excludes zeros or tells one, else in the halves. False where two zeros are
/// too near to each other to tell. `at(t)` evaluates, to `precision`.
template <class Function>
bool FindZeros(const Function& at, const FunctionSample& from, const FunctionSample& to,
               double fourth_derivative, double precision, DoubleZeros doubles, int depth,
               std::vector<double>* zeros);

/// The zeros of a trigonometric polynomial from one place to another, the latter not included, no
/// more than a full turn apart. False where it vanishes altogether, or zeros are nearly double; the
/// polynomial's coefficients are known to `precision`.
bool FindTrigZeros(const TrigPolynomial& f, double precision, double from, double to,
                   DoubleZeros doubles, std::vector<double>* zeros);

/// An empty list for zeros that keeps its memory: the calling thread's, until it asks again.
std::vector<double>& EmptyZeros();

/// The length of a vector that is neither huge nor tiny.
inline double Length(double x, double y) { return std::sqrt(x * x + y * y); }

/// At most so much does a trigonometric polynomial differ from its first coefficient.
inline double Amplitude(const TrigPolynomial& f) { return Length(f[1], f[2]) + Length(f[3], f[4]); }

// Implementation.

namespace zeros_detail {

/// The largest error of the slope of a cubic through values and derivatives, as that of its value.
inline constexpr double kSlopeError = 3.08;  // 384 √3 / 216

/// The polynomial of third degree through values and derivatives.
struct Cubic {
  double c0, c1, c2, c3;  // in s of [0, 1]

  Cubic(const FunctionSample& from, const FunctionSample& to) {
    const double h = to.t - from.t, step = to.f - from.f;
    c0 = from.f;
    c1 = h * from.df;
    c2 = 3.0 * step - h * (2.0 * from.df + to.df);
    c3 = h * (from.df + to.df) - 2.0 * step;
  }
  double At(double s) const { return c0 + s * (c1 + s * (c2 + s * c3)); }
  /// The least absolute value of the second derivative; zero where that changes its sign.
  double LeastBend() const {
    const double begin = 2.0 * c2, end = begin + 6.0 * c3;
    return begin * end > 0.0 ? std::min(std::abs(begin), std::abs(end)) : 0.0;
  }
  /// The number of extremes within the open interval, and their places in ascending order.
  int Extremes(double* places) const;
  /// Whether it is farther from zero than `clear` at the ends, and where its slope is least, unless
  /// the slope there exceeds `flat`.
  bool IsClearWhereFlat(double flat, double clear) const;
};

/// The one zero between two places where the function has different signs.
template <class Function>
double Bracketed(const Function& at, FunctionSample low, FunctionSample high) {
  constexpr int kSteps = 80;
  constexpr double kLast = 2e-16;
  double t = low.t + (high.t - low.t) * low.f / (low.f - high.f);
  for (int n = 0; n < kSteps; ++n) {
    if (!(t > low.t && t < high.t)) t = 0.5 * (low.t + high.t);
    const FunctionSample here = at(t);
    ((here.f > 0.0) == (low.f > 0.0) ? low : high) = here;
    const double step = here.f / here.df;
    if (here.f == 0.0 || std::abs(step) <= kLast * (1.0 + std::abs(t))) return t - step;
    t -= step;
    if (high.t - low.t <= kLast * (1.0 + std::abs(t))) return 0.5 * (low.t + high.t);
  }
  return t;
}

}  // namespace zeros_detail

template <class Function>
bool FindZeros(const Function& at, const FunctionSample& from, const FunctionSample& to,
               double fourth_derivative, double precision, DoubleZeros doubles, int depth,
               std::vector<double>* zeros) {
  constexpr int kMostHalvings = 26;
  const double h = to.t - from.t;
  const double off = fourth_derivative * h * h * h * h / 384.0, error = off + precision;
  const zeros_detail::Cubic cubic(from, to);
  // The function is monotonic where the cubic's slope exceeds the error of that, in s. Where it
  // does not, over a width that the bend of the cubic tells, one place tells its sign.
  const double slope_off = zeros_detail::kSlopeError * off, flat = slope_off + h * precision;
  const double clear = error + flat * std::min(1.0, flat / cubic.LeastBend());
  double places[2];
  const int extremes = cubic.Extremes(places);
  // Where the cubic is off by no more than the precision, the next interval shows a double zero
  // beside this one.
  const bool is_exact = doubles == DoubleZeros::kOnce && off <= precision;
  bool is_clear = is_exact || cubic.IsClearWhereFlat(flat, clear);
  bool is_positive = from.f > 0.0;
  int changes = 0;
  for (int n = 0; n < extremes; ++n) {
    const double value = cubic.At(places[n]);
    is_clear &= std::abs(value) > clear;
    changes += (value > 0.0) != is_positive ? 1 : 0;
    is_positive = value > 0.0;
  }
  changes += (to.f > 0.0) != is_positive ? 1 : 0;
  if (is_clear && changes <= 1) {
    if (changes == 1) zeros->push_back(zeros_detail::Bracketed(at, from, to));
    return true;
  }
  if (doubles == DoubleZeros::kOnce && extremes == 1 && error <= 2.0 * precision &&
      std::abs(cubic.At(places[0])) <= error && cubic.LeastBend() >= kLeastBendOfTouch * h * h) {
    zeros->push_back(from.t + places[0] * h);
    return true;
  }
  if (depth >= kMostHalvings) return false;
  const FunctionSample middle = at(from.t + 0.5 * h);
  return FindZeros(at, from, middle, fourth_derivative, precision, doubles, depth + 1, zeros) &&
         FindZeros(at, middle, to, fourth_derivative, precision, doubles, depth + 1, zeros);
}

}  // namespace volcontact
