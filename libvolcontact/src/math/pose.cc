#include "volcontact/math/pose.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "math/rigid.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN

Eigen::Matrix3d Pose::Rotation() const { return Rigid(*this).RotationDouble(); }

void ValidatePose(const Pose& pose, const std::string& where) {
  const auto& [w, x, y, z] = pose.q;
  const double norm = std::sqrt(w * w + x * x + y * y + z * z);
  if (!pose.t.allFinite() || !std::isfinite(norm)) {
    throw InvalidInput(where + ": a pose must consist of finite numbers");
  }
  if (std::abs(norm - 1.0) > kUnitQuaternionTolerance) {
    throw InvalidInput(
        fmt::format("{}: the quaternion has length {:.9g}, not 1; divide it by its length (order "
                    "is w, x, y, z)",
                    where, norm));
  }
}

Pose MakePose(const Eigen::Matrix3d& R, const Eigen::Vector3d& t) {
  const Eigen::Quaternion<double, Eigen::DontAlign> q(R);
  return {t, {q.w(), q.x(), q.y(), q.z()}};
}

Pose Compose(const Pose& X_AB, const Pose& X_BC) {
  const Rigid product = Rigid(X_AB) * Rigid(X_BC);
  return MakePose(product.RotationDouble(), Round(product.t));
}

Pose Inverse(const Pose& X_AB) {
  const Rigid inverse = Rigid(X_AB).Inverse();
  return MakePose(inverse.RotationDouble(), Round(inverse.t));
}

VOLCONTACT_NAMESPACE_END
