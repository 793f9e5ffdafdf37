// Matrices over the motions of a body.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

// A motion is six numbers: a translation along the axes of a frame, then a rotation vector about
// some point. Their layout does not depend on flags for Eigen.

/// A linear form on motions, or a force and its moment.
using Vector6 = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;
/// A bilinear form on motions, or the change of a wrench with a motion.
using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::DontAlign>;
/// The change of a vector with a motion.
using Matrix36 = Eigen::Matrix<double, 3, 6, Eigen::DontAlign>;

VOLCONTACT_NAMESPACE_END
