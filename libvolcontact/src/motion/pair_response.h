// How two bodies move against each other at a point, and how that answers to pushes.
#pragma once

#include <Eigen/Core>

#include "volcontact/motion/moving_bodies.h"

namespace volcontact {

/// Of A against B at a point, given by its arms from their origins.
Vector6 TwistAt(const Eigen::Vector3d& arm_A, const Eigen::Vector3d& arm_B, const Twist& A,
                const Twist& B);

/// Adds a body's columns, at a point that is `arm` from its origin, times a sign.
void AddColumns(const AxisResponse& body, const Eigen::Vector3d& arm, double sign,
                AxisResponse* to);

}  // namespace volcontact
