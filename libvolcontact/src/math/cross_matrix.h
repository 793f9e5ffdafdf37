// The cross product as a matrix.
#pragma once

#include <Eigen/Core>

namespace volcontact {

/// The matrix that takes x to p × x.
inline Eigen::Matrix3d CrossMatrix(const Eigen::Vector3d& p) {
  Eigen::Matrix3d M;
  M << 0.0, -p.z(), p.y(), p.z(), 0.0, -p.x(), -p.y(), p.x(), 0.0;
  return M;
}

}  // namespace volcontact
