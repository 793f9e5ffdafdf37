// Bounds of what Patterson's rules are off the integrals of analytic functions.
#pragma once

#include <array>
#include <cmath>

#include "math/arithmetic/discs.h"
#include "math/quadrature/gauss_rules.h"

namespace volcontact {

/// The nth of some packs of discs that together cover an ellipse with foci at −1 and 1, of which
/// `reach`, more than 1, is the sum of the half axes.
inline Discs DiscsAbout(double reach, int n, int packs) {
  const double along = 0.5 * (reach + 1.0 / reach), across = 0.5 * (reach - 1.0 / reach);
  const double width = 2.0 / packs, middle = -1.0 + (n + 0.5) * width;
  const Lanes centers = middle + 0.5 * width * Lanes(-0.75, -0.25, 0.25, 0.75);
  return Discs::About(along * centers, Lanes(std::hypot(0.125 * width * along, across)));
}

/// By how much a rule is off the integral over [−1, 1] of a function that is analytic, and no
/// larger than 1, in the ellipse of a reach: weights are positive and sum up to 2, so that it is no
/// more than four times what the polynomial of the rule's degree next to the function is off it,
/// and that is at most 2 reach^-degree / (reach − 1) (Trefethen, Approximation Theory and
/// Approximation Practice, theorem 8.2).
inline double ErrorOfRule(int rule, double reach) {
  constexpr std::array<int, kPattersonCount> kDegrees = {1, 5, 11, 23, 47};
  return 8.0 * std::pow(reach, -kDegrees[rule]) / (reach - 1.0);
}

}  // namespace volcontact
