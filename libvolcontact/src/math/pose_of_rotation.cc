#include "math/pose_of_rotation.h"

VOLCONTACT_NAMESPACE_BEGIN

Pose PoseOfRotation(const Eigen::Matrix3d& R, const Eigen::Vector3d& t) {
  // Each row is 4 q_i q for one component q_i; the one with the largest diagonal is best
  // conditioned. Entries that are 0 or ±1 give small integers, which one division scales alike.
  Eigen::Matrix4d rows;
  const double xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  const double wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  const double xy = R(0, 1) + R(1, 0), yz = R(1, 2) + R(2, 1), xz = R(0, 2) + R(2, 0);
  rows << 1 + xx + yy + zz, wx, wy, wz,  //
      wx, 1 + xx - yy - zz, xy, xz,      //
      wy, xy, 1 - xx + yy - zz, yz,      //
      wz, xz, yz, 1 - xx - yy + zz;
  int best = 0;
  rows.diagonal().maxCoeff(&best);
  const Eigen::Vector4d q = rows.row(best).transpose() / rows.row(best).norm();
  return {t, {q[0], q[1], q[2], q[3]}};
}

VOLCONTACT_NAMESPACE_END
