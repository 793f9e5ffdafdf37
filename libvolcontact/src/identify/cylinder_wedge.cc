#include "volcontact/identify/cylinder_wedge.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

// 2 sin φ − cos φ (3 φ − sin(2 φ)/2) = (9 sin φ + sin 3φ)/4 − 3 φ cos φ, which is 2/5 φ^5 for
// small φ: there its terms cancel, and the series has to stand for them.
double Bracket(double phi) {
  if (phi > 1.0) {
    return 0.25 * (9.0 * std::sin(phi) + std::sin(3.0 * phi)) - 3.0 * phi * std::cos(phi);
  }
  double sum = 0.0, power = phi, nine = 3.0, factorial = 1.0;  // φ^n, 3^n, n! with n = 2m + 1
  for (int m = 0; m < 16; ++m) {
    const double n = 2.0 * m + 1.0;
    if (m > 0) {
      power *= -phi * phi;
      nine *= 9.0;
      factorial *= n * (n - 1.0);
    }
    sum += power / factorial * (0.25 * (9.0 + nine) - 3.0 * n);
  }
  return sum;
}

}  // namespace

CylinderWedge::CylinderWedge(double radius, double tilt)
    : radius_(radius), slope_(std::tan(tilt)), max_depth_(2.0 * radius * slope_) {
  if (!(radius > 0.0))
    throw InvalidInput(fmt::format("the radius is {} m; it must be positive", radius));
  if (!(tilt > 0.0 && tilt < 0.5 * std::numbers::pi)) {
    throw InvalidInput(fmt::format("the tilt is {} rad; it must lie between 0 and pi/2", tilt));
  }
}

double CylinderWedge::Volume(double depth) const {
  if (!(depth >= 0.0 && depth <= max_depth_)) {
    throw InvalidInput(fmt::format(
        "the depth is {} m; the volume is that of a wedge from 0 to 2 r tan(tilt) = {} m", depth,
        max_depth_));
  }
  if (depth == 0.0) return 0.0;
  const double length = depth / slope_;  // b of Eq. (3.20)
  // acos((r − b)/r), Eq. (3.21), without its cancellation for short wedges.
  const double phi = 2.0 * std::asin(std::sqrt(std::min(1.0, 0.5 * length / radius_)));
  return slope_ * radius_ * radius_ * radius_ / 3.0 * Bracket(phi);
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
