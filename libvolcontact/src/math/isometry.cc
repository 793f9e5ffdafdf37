#include "volcontact/math/isometry.h"

#include <fmt/format.h>

#include <Eigen/LU>

#include "math/pose_of_rotation.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN

Pose PoseFromRotation(const Eigen::Matrix3d& R, const Eigen::Vector3d& t,
                      const std::string& where) {
  if (!R.allFinite() || !t.allFinite()) {
    throw InvalidInput(where + ": a pose must consist of finite numbers");
  }
  const Eigen::Matrix3d off = R.transpose() * R - Eigen::Matrix3d::Identity();
  const double deviation = off.cwiseAbs().maxCoeff();
  if (!(deviation <= kRotationTolerance)) {
    throw InvalidInput(
        fmt::format("{}: the rotation matrix differs by {:.3g} from an orthonormal one; make it "
                    "orthonormal, for example by a unit quaternion",
                    where, deviation));
  }
  if (R.determinant() < 0.0) {
    throw InvalidInput(where + ": the matrix mirrors; a pose is a rotation and a translation only");
  }
  return PoseOfRotation(R, t);
}

VOLCONTACT_NAMESPACE_END
