// Error estimates of nested quadrature rules.
#pragma once

#include <algorithm>
#include <cmath>

namespace volcontact {

/// Estimated error of Kronrod's rule from its difference to the embedded Gauss rule, on an integral of
/// size `scale`: QUADPACK's formula. Once the lower rule converges, the higher one is far more accurate
/// than their difference.
inline double KronrodError(double difference, double scale) {
  if (!(difference > 0.0 && scale > 0.0)) return difference;
  return std::min(difference, scale * std::pow(200.0 * difference / scale, 1.5));
}

}  // namespace volcontact
