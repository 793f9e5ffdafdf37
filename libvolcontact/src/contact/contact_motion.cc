#include "volcontact/contact/contact_motion.h"

#include <Eigen/Geometry>

VOLCONTACT_NAMESPACE_BEGIN

ContactMotion MotionAt(const Eigen::Vector3d& point_W, const Eigen::Vector3d& normal_W,
                       const Pose& X_WA, const Twist& A, const Pose& X_WB, const Twist& B) {
  const Eigen::Vector3d v_A = A.velocity_W + A.angular_velocity_W.cross(point_W - X_WA.t);
  const Eigen::Vector3d v_B = B.velocity_W + B.angular_velocity_W.cross(point_W - X_WB.t);
  const Eigen::Vector3d v = v_A - v_B, w = A.angular_velocity_W - B.angular_velocity_W;
  ContactMotion motion;
  motion.normal_speed = normal_W.dot(v);
  motion.tangential_velocity_W = v - motion.normal_speed * normal_W;
  motion.spin = normal_W.dot(w);
  motion.rolling_velocity_W = w - motion.spin * normal_W;
  return motion;
}

VOLCONTACT_NAMESPACE_END
