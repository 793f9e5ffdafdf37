// The least rotation from one direction to another.
#pragma once

#include <Eigen/Geometry>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The rotation by the least angle that takes the direction of `from` to that of `to`; about any
/// axis across them if they are opposite. Neither may be zero. Eigen's FromTwoVectors takes the
/// compiler ten seconds, for a decomposition that only opposite directions need.
VOLCONTACT_EXPORT Eigen::Quaterniond MinimalRotation(const Eigen::Vector3d& from,
                                                     const Eigen::Vector3d& to);

VOLCONTACT_NAMESPACE_END
