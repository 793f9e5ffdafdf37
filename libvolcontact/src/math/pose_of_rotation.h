// Poses from rotation matrices that users give.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The pose of a rotation matrix and a translation. Unlike MakePose it yields quarter and third
/// turns exactly, so that faces that are flush stay so.
VOLCONTACT_EXPORT Pose PoseOfRotation(const Eigen::Matrix3d& R, const Eigen::Vector3d& t);

VOLCONTACT_NAMESPACE_END
