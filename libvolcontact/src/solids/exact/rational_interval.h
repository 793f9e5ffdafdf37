// Doubles on either side of a rational number.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "solids/exact/exact_number.h"

namespace volcontact {

/// The greatest double that is not above x and the least that is not below; equal where x is one.
/// Beyond the range of doubles one of them is infinite. Takes no library but that of the numbers:
/// CGAL's own interval rounds with a further one.
inline std::pair<double, double> IntervalOf(const Rational& x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kGreatest = std::numeric_limits<double>::max();
  if (x > Rational(kGreatest)) return {kGreatest, kInfinity};
  if (x < Rational(-kGreatest)) return {-kInfinity, -kGreatest};
  double below = ToDouble(x);  // to some last place, whichever way it rounds
  while (Rational(below) > x) below = std::nextafter(below, -kInfinity);
  double above = below;
  while (Rational(above) < x) {
    below = above;
    above = std::nextafter(above, kInfinity);
  }
  if (Rational(above) == x) below = above;
  return {below, above};
}

}  // namespace volcontact
