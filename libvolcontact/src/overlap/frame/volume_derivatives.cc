#include "overlap/frame/volume_derivatives.h"

#include <algorithm>

#include "math/cross_matrix.h"

namespace volcontact {

using Eigen::Matrix3d;

std::array<Matrix3d, 6> VolumeDerivatives::Nothing() {
  std::array<Matrix3d, 6> zeros;
  zeros.fill(Matrix3d::Zero());
  return zeros;
}

VolumeDerivatives& VolumeDerivatives::operator+=(const VolumeDerivatives& other) {
  volume += other.volume;
  first += other.first;
  for (std::size_t k = 0; k < 6; ++k) second[k] += other.second[k];
  area += other.area;
  error = std::max(error, other.error);
  return *this;
}

VolumeDerivatives& VolumeDerivatives::operator*=(double factor) {
  volume *= factor;
  first *= factor;
  for (Matrix3d& M : second) M *= factor;
  area *= factor;
  return *this;
}

VolumeDerivatives VolumeDerivatives::Transformed(const Matrix3d& R,
                                                 const Eigen::Vector3d& p) const {
  // Takes (n, r × n) of C to that of F; its transpose motions about F's origin to those about C's.
  Eigen::Matrix<double, 6, 6> T;
  T << R, Matrix3d::Zero(), CrossMatrix(p) * R, R;
  VolumeDerivatives result;
  result.volume = T * volume;
  result.first = R * first * T.transpose() + p * result.volume.transpose();
  const Matrix36 moved = R * first * T.transpose();
  for (int k = 0; k < 6; ++k) {
    Matrix3d sum = Matrix3d::Zero();
    for (int j = 0; j < 6; ++j) sum += T(k, j) * second[j];
    const Matrix3d across = moved.col(k) * p.transpose();
    result.second[k] = R * sum * R.transpose() + across + across.transpose() +
                       result.volume[k] * p * p.transpose();
  }
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
