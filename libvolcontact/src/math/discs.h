// Discs of complex numbers about real ones, four at a time.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "math/lanes.h"
#include "math/sine_cosine.h"

namespace volcontact {

/// The complex numbers no farther from a real centre than a radius, in four places. An operation
/// on discs gives discs that hold all its results on what they hold. So a function is analytic on
/// the discs that it is evaluated on, and no larger there than Magnitude; where it may have a pole
/// or a branch point, the radius is infinite or not a number. Roundings are not included: results
/// are to be compared with bounds that are far wider.
struct Discs {
  Lanes center, radius;

  Discs() = default;
  Discs(double number) : center(number) {}  // NOLINT: mixes with plain numbers
  Discs(const Lanes& centers, const Lanes& radii) : center(centers), radius(radii) {}

  Lanes Magnitude() const { return AbsoluteOf(center) + radius; }

  friend Discs operator+(const Discs& a, const Discs& b) {
    return {a.center + b.center, a.radius + b.radius};
  }
  friend Discs operator-(const Discs& a, const Discs& b) {
    return {a.center - b.center, a.radius + b.radius};
  }
  friend Discs operator*(const Discs& a, const Discs& b) {
    return {a.center * b.center, AbsoluteOf(a.center) * b.radius + a.radius * b.Magnitude()};
  }
  friend Discs operator/(const Discs& a, const Discs& b) { return a * Inverse(b); }
  friend Discs operator+(const Discs& a, double b) { return {a.center + b, a.radius}; }
  friend Discs operator+(double a, const Discs& b) { return b + a; }
  friend Discs operator-(const Discs& a, double b) { return {a.center - b, a.radius}; }
  friend Discs operator-(double a, const Discs& b) { return {a - b.center, b.radius}; }
  friend Discs operator*(const Discs& a, double b) {
    return {a.center * b, a.radius * std::abs(b)};
  }
  friend Discs operator*(double a, const Discs& b) { return b * a; }
  friend Discs operator/(double a, const Discs& b) { return Inverse(b) * a; }
  friend Discs operator-(const Discs& a) { return {-a.center, a.radius}; }
  Discs& operator+=(const Discs& b) { return *this = *this + b; }
  Discs& operator-=(const Discs& b) { return *this = *this - b; }
  Discs& operator*=(const Discs& b) { return *this = *this * b; }

  /// Inversion maps a disc without zero to a disc.
  friend Discs Inverse(const Discs& a) {
    const Lanes power = a.center * a.center - a.radius * a.radius, inverse = 1.0 / power;
    return {a.center * inverse,
            WhereNegative(-power, a.radius * inverse, std::numeric_limits<double>::infinity())};
  }
};

/// The root whose real part is positive, of discs beyond zero.
inline Discs RootOf(const Discs& a) {
  const Lanes least = a.center - a.radius, root = RootOf(a.center);
  // Both roots of a difference have positive real parts.
  return {root, WhereNegative(-least, a.radius / (root + std::sqrt(0.5) * RootOf(least)),
                              std::numeric_limits<double>::infinity())};
}

/// Of two expressions of one function: that which tells more.
inline Discs WhereNegative(const Discs&, const Discs& a, const Discs& b) {
  const Lanes difference = a.radius - b.radius;
  return {WhereNegative(difference, a.center, b.center),
          WhereNegative(difference, a.radius, b.radius)};
}

/// The sine and the cosine. On a disc they differ from those of its centre by no more than the
/// series of their differences with all signs positive.
inline void FindSineCosine(const Discs& angle, Discs* sine, Discs* cosine) {
  FindSineCosine(angle.center, &sine->center, &cosine->center);
  Lanes across, along;  // sinh r, cosh r − 1
  for (std::size_t n = 0; n < Lanes::kCount; ++n) {
    across.x[n] = std::sinh(angle.radius.x[n]);
    along.x[n] = across.x[n] * std::tanh(0.5 * angle.radius.x[n]);
  }
  const Lanes s = AbsoluteOf(sine->center), c = AbsoluteOf(cosine->center);
  sine->radius = c * across + s * along;
  cosine->radius = s * across + c * along;
}

}  // namespace volcontact
