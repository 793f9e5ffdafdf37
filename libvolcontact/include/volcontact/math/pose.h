// Rigid poses in monogram notation: X_AB is the pose of frame B in frame A, p_A = X_AB * p_B.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A rigid pose as its user writes it down: a translation and a quaternion. The quaternion need be
/// unit only to 1e-6; it stands for the exact rotation q/|q|, so a Pose denotes an exact rigid
/// motion although its numbers are doubles. A plain value of 56 bytes: any number of threads may
/// read one. All functions of this header may be called by any number of threads at a time.
struct VOLCONTACT_EXPORT Pose {
  /// Position of the frame's origin [m].
  Eigen::Vector3d t = Eigen::Vector3d::Zero();
  /// Rotation quaternion (w, x, y, z).
  std::array<double, 4> q = {1.0, 0.0, 0.0, 0.0};

  /// The rotation matrix of q/|q|, rounded to double.
  Eigen::Matrix3d Rotation() const;
  /// p_A from p_B, rounded to double.
  Eigen::Vector3d operator*(const Eigen::Vector3d& p_B) const { return Rotation() * p_B + t; }
};

/// Largest deviation of |q| from one that is accepted as a unit quaternion.
inline constexpr double kUnitQuaternionTolerance = 1e-6;

/// Throws InvalidInput, beginning with `where`, unless all numbers are finite and |q| is one to
/// kUnitQuaternionTolerance.
VOLCONTACT_EXPORT void ValidatePose(const Pose& pose, const std::string& where);

/// The pose with rotation matrix R (orthonormal to rounding) and translation t.
VOLCONTACT_EXPORT Pose MakePose(const Eigen::Matrix3d& R, const Eigen::Vector3d& t);

/// X_AC = X_AB * X_BC, rounded to double.
VOLCONTACT_EXPORT Pose Compose(const Pose& X_AB, const Pose& X_BC);

/// X_BA, rounded to double.
VOLCONTACT_EXPORT Pose Inverse(const Pose& X_AB);

VOLCONTACT_NAMESPACE_END
