#include "overlap/frame/volume_derivatives.h"

#include <algorithm>

#include "math/cross_matrix.h"

namespace volcontact {

using Eigen::Matrix3d;
using Eigen::Vector3d;

VolumeDerivatives& VolumeDerivatives::operator+=(const VolumeDerivatives& other) {
  volume += other.volume;
  first += other.first;
  area += other.area;
  error = std::max(error, other.error);
  return *this;
}

VolumeDerivatives VolumeDerivatives::Transformed(const Matrix3d& R, const Vector3d& p) const {
  // Takes (n, r × n) of C to that of F; its transpose motions about F's origin to those about C's.
  Eigen::Matrix<double, 6, 6> T;
  T << R, Matrix3d::Zero(), CrossMatrix(p) * R, R;
  VolumeDerivatives result;
  result.volume = T * volume;
  result.first = R * first * T.transpose() + p * result.volume.transpose();
  result.area = T * area * T.transpose();
  result.error = error;
  return result;
}

Matrix6 VolumeDerivatives::Hessian() const {
  // The rotation comes first in r ↦ d + exp(w×) r, so a by w is all there is to the mixed block.
  Matrix6 H;
  const Matrix3d translations = area.topLeftCorner<3, 3>(), mixed = area.topRightCorner<3, 3>(),
                 rotations = area.bottomRightCorner<3, 3>();
  H << -0.5 * (translations + translations.transpose()), -mixed, -mixed.transpose(),
      -0.5 * (rotations + rotations.transpose());
  H.array() += 0.0;  // no negative zeros
  return H;
}

}  // namespace volcontact
