// Rigid motions in double-double precision.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/arithmetic/vector_double_double.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"

namespace volcontact {

/// A rigid motion p_A = R p_B + t with double-double entries; the rotation of a Pose's quaternion
/// q/|q| is evaluated as a rational function of q, so it is orthonormal to about 1e-31.
struct Rigid {
  Matrix3dd R = {Vector3dd{1.0, 0.0, 0.0}, Vector3dd{0.0, 1.0, 0.0},
                 Vector3dd{0.0, 0.0, 1.0}};  // rows
  Vector3dd t = {};

  Rigid() = default;
  explicit Rigid(const Pose& pose);
  /// From a rotation matrix in doubles, taken as it is.
  Rigid(const Eigen::Matrix3d& rotation, const Vector3dd& translation);

  Vector3dd operator*(const Vector3dd& p_B) const;
  Vector3dd Rotate(const Vector3dd& v_B) const;
  Vector3dd InverseRotate(const Vector3dd& v_A) const;
  Rigid Inverse() const;

  /// Column j of R: the direction of B's axis j in A.
  Vector3dd Axis(int j) const { return {R[0][j], R[1][j], R[2][j]}; }
  Eigen::Matrix3d RotationDouble() const;
};

/// X_AC = X_AB * X_BC.
Rigid operator*(const Rigid& X_AB, const Rigid& X_BC);

/// X_AB from the world poses of A and B. The translations are subtracted before they are rotated,
/// so that the relative position keeps its digits far from the world's origin.
Rigid RelativePose(const Rigid& X_WA, const Rigid& X_WB);
Rigid RelativePose(const Pose& X_WA, const Pose& X_WB);

/// A box in frame A that contains one given in frame B, rounded outwards; infinite where it is.
Aabb Transformed(const Aabb& box_B, const Rigid& X_AB);

}  // namespace volcontact
