// What is asked of a surface psi = 0 at a point: value, gradient, and the nearest points of it.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/arithmetic/polynomial.h"

namespace volcontact {

double ValueAt(const Polynomial<double>& psi, const Eigen::Vector3d& y);
Eigen::Vector3d GradientAt(const Polynomial<double>& psi, const Eigen::Vector3d& y);

/// Newton's steps along the gradient to psi = 0; where there is none to be found, `y` itself.
Eigen::Vector3d ProjectTo(const Polynomial<double>& psi, const Eigen::Vector3d& y);

/// The common zero of one, two or three functions near `y`, by Newton's shortest steps. False when
/// it is not found within `reach` of `y`, or the surfaces touch there.
bool FindCommonPoint(const std::array<const Polynomial<double>*, 3>& functions, int count,
                     double reach, Eigen::Vector3d* y);

}  // namespace volcontact
