// Error estimates of nested quadrature rules.
#pragma once

#include <algorithm>
#include <cmath>

namespace volcontact {

/// Stands for the difference in the constants of the two rates below.
inline constexpr double kKronrodFactor = 30.0;

/// Estimated error of Kronrod's rule from its difference to the embedded Gauss rule, on an integral
/// of size `scale`. On an analytic integrand whose n-point Gauss rule errs by ρ^(−2n), Kronrod's
/// extension errs by about ρ^(−3n): the power 3/2. QUADPACK's factor 200^(3/2) allows for
/// integrands with kinks; here these are cut out beforehand, and a factor of 30 stands for the
/// difference in constants.
inline double KronrodError(double difference, double scale) {
  if (!(difference > 0.0 && scale > 0.0)) return difference;
  const double relative = difference / scale;
  return std::min(difference, kKronrodFactor * scale * relative * std::sqrt(relative));
}

}  // namespace volcontact
