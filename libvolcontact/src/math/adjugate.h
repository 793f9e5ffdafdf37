// The adjugate of symmetric matrices.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace volcontact {

/// The adjugate of a symmetric matrix: its inverse times its determinant, also where that is zero.
inline Eigen::Matrix3d Adjugate(const Eigen::Matrix3d& M) {
  Eigen::Matrix3d result;
  result.col(0) = M.col(1).cross(M.col(2));
  result.col(1) = M.col(2).cross(M.col(0));
  result.col(2) = M.col(0).cross(M.col(1));
  return result;
}

}  // namespace volcontact
