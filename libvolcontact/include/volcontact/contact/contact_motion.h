// How two bodies in contact move against each other.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Velocity of a body in the world frame W. A plain value: any number of threads may read one.
struct Twist {
  Eigen::Vector3d velocity_W = Eigen::Vector3d::Zero();  ///< of the body frame's origin [m/s]
  Eigen::Vector3d angular_velocity_W = Eigen::Vector3d::Zero();  ///< [rad/s]
};

/// The motion of A relative to B at a contact point, split along the normal n (Gonthier 2007,
/// Eq. (4.51)). Vectors in W. A plain value: any number of threads may read one.
struct ContactMotion {
  double normal_speed = 0.0;  ///< v_cn = n·v_c, negative on approach [m/s]
  Eigen::Vector3d tangential_velocity_W = Eigen::Vector3d::Zero();  ///< v_ct [m/s]
  double spin = 0.0;                                                ///< n·ω_r [rad/s]
  Eigen::Vector3d rolling_velocity_W = Eigen::Vector3d::Zero();     ///< ω_t, across n [rad/s]
};

/// The motion at `point_W` with the unit normal `normal_W`, for bodies with these poses and twists.
VOLCONTACT_EXPORT ContactMotion MotionAt(const Eigen::Vector3d& point_W,
                                         const Eigen::Vector3d& normal_W, const Pose& X_WA,
                                         const Twist& A, const Pose& X_WB, const Twist& B);

VOLCONTACT_NAMESPACE_END
