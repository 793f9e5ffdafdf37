// Analytic functions on discs of complex numbers, four at a time.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "math/lanes.h"
#include "math/sine_cosine.h"

namespace volcontact {

/// Functions f of a complex ε, |ε| <= 1, in four places: |f − center − slope ε| <= rest, with a
/// real centre and slope. An operation gives what holds for its result, so that a function of what
/// was `About` a number is analytic on that disc, and no larger there than Magnitude; where it may
/// have a pole or a branch point, the rest is infinite or not a number. Slopes are kept since what
/// is of first order cancels where the terms of a formula do. Roundings are not included: results
/// are for bounds that are far wider.
struct Discs {
  Lanes center, slope, rest;

  Discs() = default;
  Discs(double number) : center(number) {}  // NOLINT: mixes with plain numbers
  explicit Discs(const Lanes& numbers) : center(numbers) {}
  Discs(const Lanes& centers, const Lanes& slopes, const Lanes& rests)
      : center(centers), slope(slopes), rest(rests) {}
  static Discs About(const Lanes& centers, const Lanes& radii) { return {centers, radii, 0.0}; }

  /// How far values are from the centre at most.
  Lanes Radius() const { return AbsoluteOf(slope) + rest; }
  Lanes Magnitude() const { return AbsoluteOf(center) + Radius(); }

  friend Discs operator+(const Discs& a, const Discs& b) {
    return {a.center + b.center, a.slope + b.slope, a.rest + b.rest};
  }
  friend Discs operator-(const Discs& a, const Discs& b) {
    return {a.center - b.center, a.slope - b.slope, a.rest + b.rest};
  }
  friend Discs operator*(const Discs& a, const Discs& b) {
    return {
        a.center * b.center, a.center * b.slope + a.slope * b.center,
        AbsoluteOf(a.slope * b.slope) + a.rest * b.Magnitude() + (a.Magnitude() - a.rest) * b.rest};
  }
  friend Discs operator/(const Discs& a, const Discs& b) { return a * Inverse(b); }
  friend Discs operator+(const Discs& a, double b) { return {a.center + b, a.slope, a.rest}; }
  friend Discs operator+(double a, const Discs& b) { return b + a; }
  friend Discs operator-(const Discs& a, double b) { return {a.center - b, a.slope, a.rest}; }
  friend Discs operator-(double a, const Discs& b) { return {a - b.center, -b.slope, b.rest}; }
  friend Discs operator*(const Discs& a, double b) {
    return {a.center * b, a.slope * b, a.rest * std::abs(b)};
  }
  friend Discs operator*(double a, const Discs& b) { return b * a; }
  friend Discs operator/(const Discs& a, double b) { return a * (1.0 / b); }
  friend Discs operator/(double a, const Discs& b) { return Inverse(b) * a; }
  friend Discs operator-(const Discs& a) { return {-a.center, -a.slope, a.rest}; }
  Discs& operator+=(const Discs& b) { return *this = *this + b; }
  Discs& operator-=(const Discs& b) { return *this = *this - b; }
  Discs& operator*=(double b) { return *this = *this * b; }

  /// 1/(c + u c) = (1 − u + u²/(1 + u))/c.
  friend Discs Inverse(const Discs& a) {
    const Lanes inverse = 1.0 / a.center, part = a.Radius() * AbsoluteOf(inverse);
    const Lanes second = part * part / (1.0 - part);
    return {inverse, -a.slope * inverse * inverse,
            a.rest * inverse * inverse +
                AbsoluteOf(inverse) *
                    WhereNegative(part - 1.0, second, std::numeric_limits<double>::infinity())};
  }
};

/// The root whose real part is positive: that of 1 + u is 1 + u/2, and less than the same of 1 − u
/// is off, by its series.
inline Discs RootOf(const Discs& a) {
  const Lanes root = RootOf(a.center), part = a.Radius() / a.center, half = 0.5 / root;
  const Lanes second = root * (1.0 - 0.5 * part - RootOf(1.0 - part));
  const double infinity = std::numeric_limits<double>::infinity();
  const Lanes beyond = WhereNegative(part - 1.0, second, infinity);
  return {root, half * a.slope, half * a.rest + WhereNegative(-a.center, beyond, infinity)};
}

/// Of two expressions of one function: that which tells more.
inline Discs WhereNegative(const Discs&, const Discs& a, const Discs& b) {
  const Lanes difference = a.rest - b.rest;
  return {WhereNegative(difference, a.center, b.center),
          WhereNegative(difference, a.slope, b.slope), WhereNegative(difference, a.rest, b.rest)};
}

/// The sine and the cosine: what their series have beyond the first order, with all signs positive.
inline void FindSineCosine(const Discs& angle, Discs* sine, Discs* cosine) {
  Lanes s, c, odd, even;  // sinh r − r, cosh r − 1
  FindSineCosine(angle.center, &s, &c);
  const Lanes radius = angle.Radius();
  for (std::size_t n = 0; n < Lanes::kCount; ++n) {
    const double r = radius.x[n], sinh = std::sinh(r);
    odd.x[n] = sinh - r;
    even.x[n] = sinh * std::tanh(0.5 * r);
  }
  const Lanes S = AbsoluteOf(s), C = AbsoluteOf(c);
  *sine = {s, c * angle.slope, C * angle.rest + S * even + C * odd};
  *cosine = {c, -s * angle.slope, S * angle.rest + C * even + S * odd};
}

}  // namespace volcontact
