// Analytic functions on discs of complex numbers, four at a time.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "math/arithmetic/lanes.h"
#include "math/arithmetic/sine_cosine.h"

namespace volcontact {

/// Functions f of a complex ε, |ε| <= 1, in four places: |f − center − slope ε − bend ε²| <= rest,
/// with real numbers before ε. An operation gives what holds for its result, so that a function of
/// what was `About` a number is analytic on that disc, and no larger there than Magnitude; where it
/// may have a pole or a branch point, the rest is infinite or not a number. Terms are kept since
/// what is of first and second order cancels where the terms of a formula do. Roundings are not
/// included: results are for bounds that are far wider.
struct Discs {
  Lanes center, slope, bend, rest;

  Discs() = default;
  Discs(double number) : center(number) {}  // NOLINT: mixes with plain numbers
  explicit Discs(const Lanes& numbers) : center(numbers) {}
  Discs(const Lanes& centers, const Lanes& slopes, const Lanes& bends, const Lanes& rests)
      : center(centers), slope(slopes), bend(bends), rest(rests) {}
  static Discs About(const Lanes& centers, const Lanes& radii) {
    return {centers, radii, 0.0, 0.0};
  }

  /// How far values are from the centre at most.
  Lanes Radius() const { return AbsoluteOf(slope) + AbsoluteOf(bend) + rest; }
  Lanes Magnitude() const { return AbsoluteOf(center) + Radius(); }

  friend Discs operator+(const Discs& a, const Discs& b) {
    return {a.center + b.center, a.slope + b.slope, a.bend + b.bend, a.rest + b.rest};
  }
  friend Discs operator-(const Discs& a, const Discs& b) {
    return {a.center - b.center, a.slope - b.slope, a.bend - b.bend, a.rest + b.rest};
  }
  friend Discs operator*(const Discs& a, const Discs& b) {
    const Lanes of_a = a.Magnitude(), cubic = a.slope * b.bend + a.bend * b.slope;
    return {a.center * b.center, a.center * b.slope + a.slope * b.center,
            a.center * b.bend + a.slope * b.slope + a.bend * b.center,
            AbsoluteOf(cubic) + AbsoluteOf(a.bend * b.bend) + a.rest * b.Magnitude() +
                (of_a - a.rest) * b.rest};
  }
  friend Discs operator/(const Discs& a, const Discs& b) { return a * Inverse(b); }
  friend Discs operator+(const Discs& a, double b) {
    return {a.center + b, a.slope, a.bend, a.rest};
  }
  friend Discs operator+(double a, const Discs& b) { return b + a; }
  friend Discs operator-(const Discs& a, double b) { return a + -b; }
  friend Discs operator-(double a, const Discs& b) { return a + -b; }
  friend Discs operator*(const Discs& a, const Lanes& b) {
    return {a.center * b, a.slope * b, a.bend * b, a.rest * AbsoluteOf(b)};
  }
  friend Discs operator*(const Discs& a, double b) { return a * Lanes(b); }
  friend Discs operator*(double a, const Discs& b) { return b * a; }
  friend Discs operator/(const Discs& a, double b) { return a * (1.0 / b); }
  friend Discs operator/(double a, const Discs& b) { return Inverse(b) * a; }
  friend Discs operator-(const Discs& a) { return {-a.center, -a.slope, -a.bend, a.rest}; }
  Discs& operator+=(const Discs& b) { return *this = *this + b; }
  Discs& operator-=(const Discs& b) { return *this = *this - b; }
  Discs& operator*=(double b) { return *this = *this * b; }

  /// What values are off the centre.
  Discs OffCenter() const { return {0.0, slope, bend, rest}; }
  /// The discs of a value that may also be off by a number.
  Discs OffBy(const Lanes& number) const { return {center, slope, bend, rest + number}; }

  /// 1/(c + c u) = (1 − u + u² − u³/(1 + u))/c.
  friend Discs Inverse(const Discs& a) {
    const Lanes inverse = 1.0 / a.center;
    const Discs u = a.OffCenter() * inverse;
    const Lanes part = u.Radius();
    const Lanes third = BelowOne(part, part * part * part / (1.0 - part));
    return (1.0 - u + u * u).OffBy(third) * inverse;
  }

  /// What is finite only where a number is less than 1.
  static Lanes BelowOne(const Lanes& number, const Lanes& value) {
    return WhereNegative(number - 1.0, value, std::numeric_limits<double>::infinity());
  }
};

/// The root whose real part is positive: that of 1 + u is 1 + u/2 − u²/8, and less than the same of
/// 1 − |u| is off, by its series.
inline Discs RootOf(const Discs& a) {
  const Discs u = a.OffCenter() * (1.0 / a.center);
  const Lanes part = u.Radius(), third = 1.0 - part * (0.5 + 0.125 * part) - RootOf(1.0 - part);
  // Where the centre is negative so is the part, or there is none.
  const Lanes rest = WhereNegative(-a.center, Discs::BelowOne(part, third),
                                   std::numeric_limits<double>::infinity());
  return (1.0 + u * (0.5 - 0.125 * u)).OffBy(rest) * RootOf(a.center);
}

/// The narrower of two expressions for one function.
inline Discs WhereNegative(const Discs&, const Discs& a, const Discs& b) {
  const Lanes difference = a.rest - b.rest;
  return {WhereNegative(difference, a.center, b.center),
          WhereNegative(difference, a.slope, b.slope), WhereNegative(difference, a.bend, b.bend),
          WhereNegative(difference, a.rest, b.rest)};
}

/// The sine and the cosine: what their series have beyond the second order, r³/6 and r⁴/24 and so
/// on with all signs positive, is less than geometric series.
inline void FindSineCosine(const Discs& angle, Discs* sine, Discs* cosine) {
  Lanes s, c;
  FindSineCosine(angle.center, &s, &c);
  const Discs u = angle.OffCenter(), versed = 0.5 * (u * u);
  const Lanes rr = u.Radius() * u.Radius(), odd = (1.0 / 20.0) * rr, even = (1.0 / 30.0) * rr;
  const Lanes off_sine = Discs::BelowOne(odd, (1.0 / 6.0) * rr * u.Radius() / (1.0 - odd));
  const Lanes off_cosine = Discs::BelowOne(even, (1.0 / 24.0) * rr * rr / (1.0 - even));
  const Discs of_sine = u.OffBy(off_sine), of_cosine = (1.0 - versed).OffBy(off_cosine);
  *sine = of_cosine * s + of_sine * c;
  *cosine = of_cosine * c - of_sine * s;
}

}  // namespace volcontact
