// Factors of the linear maps that place solids in a file.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace volcontact {

/// M = R·D with a rotation R and a diagonal D, whose first entry is negative when M mirrors and
/// whose other entries are positive: every primitive about z is its own mirror image in x.
struct RotationAndScale {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d scale;
  /// Largest entry of |M − R·D| relative to the largest scale: what was rounded away.
  double deviation = 0.0;
};

/// Factors M, or nothing when its columns are not perpendicular to within `tolerance` (cosine of
/// their angle) or one of them is zero. A matrix with one entry a column, such as a scaling along
/// the axes, is taken as given. Of any other, R is the nearest rotation, and scales equal to one,
/// or to each other, within the tolerance are taken to be so.
std::optional<RotationAndScale> FactorRotationAndScale(const Eigen::Matrix3d& M, double tolerance);

}  // namespace volcontact
