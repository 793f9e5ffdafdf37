#include "io/linear_map.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

Eigen::Matrix3d NearestRotation(const Eigen::Matrix3d& M) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(M, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

// Scales that are equal but for the rounding of the matrix's entries.
Eigen::Vector3d Snapped(const Eigen::Vector3d& scale, double tolerance) {
  if ((scale.array() - 1.0).abs().maxCoeff() <= tolerance) return Eigen::Vector3d::Ones();
  const double mean = scale.mean();
  if ((scale.array() / mean - 1.0).abs().maxCoeff() <= tolerance) {
    return Eigen::Vector3d::Constant(mean);
  }
  return scale;
}

// One entry a column, as a scaling along the axes has, perhaps after quarter turns.
bool IsAlongAxes(const Eigen::Matrix3d& M) {
  return ((M.array() != 0.0).cast<int>().colwise().sum() == 1).all();
}

}  // namespace

std::optional<RotationAndScale> FactorRotationAndScale(const Eigen::Matrix3d& M, double tolerance) {
  RotationAndScale factors;
  for (int i = 0; i < 3; ++i) factors.scale[i] = M.col(i).stableNorm();
  if (!(factors.scale.minCoeff() > 0.0) || !factors.scale.allFinite()) return std::nullopt;
  Eigen::Matrix3d directions = M * factors.scale.cwiseInverse().asDiagonal();
  const Eigen::Matrix3d gram = directions.transpose() * directions;
  const Eigen::Matrix3d off = gram - Eigen::Matrix3d::Identity();
  if (!(off.cwiseAbs().maxCoeff() <= tolerance)) return std::nullopt;
  const bool mirrored = directions.determinant() < 0.0;
  if (mirrored) directions.col(0) *= -1.0;
  if (IsAlongAxes(M)) {
    factors.rotation = directions;
  } else {
    factors.rotation = NearestRotation(directions);
    factors.scale = Snapped(factors.scale, tolerance);
  }
  if (mirrored) factors.scale[0] *= -1.0;
  const Eigen::Matrix3d rounded = factors.rotation * factors.scale.asDiagonal();
  factors.deviation = (M - rounded).cwiseAbs().maxCoeff() / factors.scale.cwiseAbs().maxCoeff();
  return factors;
}

}  // namespace volcontact
