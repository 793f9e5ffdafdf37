#include "overlap/frame/axes.h"

#include <Eigen/Geometry>
#include <cmath>

namespace volcontact {

// Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017).
Eigen::Matrix3d AxesAlong(const Eigen::Vector3d& z) {
  const double sign = std::copysign(1.0, z.z());
  const double a = -1.0 / (sign + z.z());
  const double b = z.x() * z.y() * a;
  Eigen::Matrix3d axes;
  axes.col(0) << 1.0 + sign * z.x() * z.x() * a, sign * b, -sign * z.x();
  axes.col(1) << b, sign + z.y() * z.y() * a, -z.y();
  axes.col(2) = z;
  return axes;
}

Eigen::Matrix3d AlignedAxes(const Eigen::Vector3d& z, const Eigen::Matrix3d& spread) {
  const Eigen::Vector3d u = z.unitOrthogonal(), w = z.cross(u);
  const double uu = u.dot(spread * u), uw = u.dot(spread * w), ww = w.dot(spread * w);
  const double angle = 0.5 * std::atan2(2.0 * uw, uu - ww);
  Eigen::Matrix3d axes;
  axes.col(0) = std::cos(angle) * u + std::sin(angle) * w;
  axes.col(2) = z;
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

}  // namespace volcontact
