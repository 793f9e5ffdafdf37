// Axes of local frames about a given z axis, as the columns of a rotation.
#pragma once

#include <Eigen/Core>

namespace volcontact {

/// Right-handed axes with z along a unit vector; x and y follow from its components alone.
Eigen::Matrix3d AxesAlong(const Eigen::Vector3d& z);

/// Right-handed axes with z along a unit vector and x along the widest spread of the second moments
/// across it.
Eigen::Matrix3d AlignedAxes(const Eigen::Vector3d& z, const Eigen::Matrix3d& spread);

}  // namespace volcontact
