// Poses from and to Eigen's isometries.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Largest deviation of an entry of R'R from the unit matrix's that is accepted as a rotation.
inline constexpr double kRotationTolerance = 1e-6;

/// The pose of the rotation matrix R and the translation t [m]. Throws InvalidInput, beginning with
/// `where`, unless all numbers are finite, R is orthonormal to kRotationTolerance, and it does not
/// mirror. A pose always denotes an exact rigid motion: what deviation is accepted is rounded away,
/// and quarter and third turns come out exactly. Any number of threads may call it at a time.
VOLCONTACT_EXPORT Pose PoseFromRotation(const Eigen::Matrix3d& R, const Eigen::Vector3d& t,
                                        const std::string& where);

/// The pose that an isometry X_AB stands for, its translation in metres; its last row is not read.
/// Throws InvalidInput as PoseFromRotation: an isometry that was multiplied up over many steps may
/// have drifted further from a rotation, and has to be made orthonormal first, as by
/// Eigen::Quaterniond(X.linear()).normalized().
///
/// The alignment of Eigen's isometries depends on how the caller is compiled. So this is compiled
/// by the caller, and the library sees a matrix of nine numbers and a vector only.
inline Pose PoseFromIsometry(const Eigen::Isometry3d& X_AB) {
  return PoseFromRotation(X_AB.linear(), X_AB.translation(), "PoseFromIsometry");
}

/// The isometry of a pose, rounded to double: orthonormal to rounding. PoseFromIsometry takes it
/// back to the same motion, to rounding; the quaternion may have changed its sign and its length.
inline Eigen::Isometry3d ToIsometry(const Pose& X_AB) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = X_AB.Rotation();
  result.translation() = X_AB.t;
  return result;
}

VOLCONTACT_NAMESPACE_END
