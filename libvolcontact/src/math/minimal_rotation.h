// The least rotation from one direction to another.
#pragma once

#include <Eigen/Geometry>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The rotation by the least angle that takes the direction of `from` to that of `to`; about any
/// axis across them where they are opposite. Neither may be zero. Eigen's FromTwoVectors, compiled
/// once: the decomposition in it, which only opposite directions need, takes the compiler eight
/// seconds a source.
VOLCONTACT_EXPORT Eigen::Quaterniond MinimalRotation(const Eigen::Vector3d& from,
                                                     const Eigen::Vector3d& to);

VOLCONTACT_NAMESPACE_END
