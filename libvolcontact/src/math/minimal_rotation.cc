#include "math/minimal_rotation.h"

#include <cmath>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// The cosine of directions whose half angle would lose six digits in the plain formula.
constexpr double kNearlyOpposite = -1.0 + 1e-12;

}  // namespace

Eigen::Quaterniond MinimalRotation(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d a = from.normalized(), b = to.normalized();
  const double cosine = b.dot(a);
  Eigen::Quaterniond q;
  if (cosine >= kNearlyOpposite) {
    const double scale = std::sqrt((1.0 + cosine) * 2.0);
    q.vec() = a.cross(b) * (1.0 / scale);
    q.w() = scale * 0.5;
    return q;
  }
  // Half of the sum of two unit vectors is the cosine of half of their angle, half of the
  // difference the sine.
  const Eigen::Vector3d sum = a + b, across = a.cross(sum);
  const double length = across.norm();
  const Eigen::Vector3d axis = length > 0.0 ? Eigen::Vector3d(across / length) : a.unitOrthogonal();
  q.vec() = 0.5 * (b - a).norm() * axis;
  q.w() = 0.5 * sum.norm();
  return q;
}

VOLCONTACT_NAMESPACE_END
