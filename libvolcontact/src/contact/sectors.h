// The frame in which a division cuts sectors.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Axes, by columns: z along a division's axis, x where the first sector begins.
Eigen::Matrix3d FrameAbout(const Eigen::Vector3d& axis);

VOLCONTACT_NAMESPACE_END
