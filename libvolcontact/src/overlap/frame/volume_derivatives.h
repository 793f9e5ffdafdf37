// Derivatives of the moments and area vectors of an overlap by the motion of A.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/rigid.h"
#include "volcontact/math/matrix6.h"

namespace volcontact {

/// Derivatives at the present pose by the motion of A: the velocity d of the point of A at the
/// origin of a frame C, and its angular velocity w, in C. A sum over parts of the overlap.
struct VolumeDerivatives {
  Vector6 volume = Vector6::Zero();   ///< of V: −(a, m), m about the origin
  Matrix36 first = Matrix36::Zero();  ///< of the first moments, the integral of r
  /// The derivative of the second moments, the integral of r r', by motion.
  std::array<Eigen::Matrix3d, 6> second = Nothing();
  /// The derivative of (a, m) along a motion at constant velocities: the integral of N_B N_A' /
  /// |n_A × n_B| along the edges between A's boundary and B's, where N = (n, r × n).
  Matrix6 area = Matrix6::Zero();
  /// Estimated error of all, relative to the largest entries as the overlap's
  /// extents scale them.
  double error = 0.0;

  VolumeDerivatives& operator+=(const VolumeDerivatives& other);
  VolumeDerivatives& operator*=(double factor);

  /// The same about the origin of frame F and in its axes, given the pose of the present frame in
  /// F.
  VolumeDerivatives Transformed(const Eigen::Matrix3d& R_FC, const Eigen::Vector3d& p_FC) const;

  static std::array<Eigen::Matrix3d, 6> Nothing();

  /// The second derivative of V by a translation of the origin and a rotation vector about the
  /// point of A that was there, which take r to d + exp(w×) r: symmetric.
  Matrix6 Hessian() const;
};

inline constexpr const char* kNoTimeForDerivatives = "the time limit ended the search for it";

/// The derivatives of an overlap, in a frame C of its own, or why there are none.
struct RawDerivatives {
  bool known = false;
  Rigid X_AC;
  VolumeDerivatives values;
  const char* reason = nullptr;  ///< null while nobody has looked; of known ones, a warning

  bool IsSettled() const { return known || reason != nullptr; }
};

}  // namespace volcontact
