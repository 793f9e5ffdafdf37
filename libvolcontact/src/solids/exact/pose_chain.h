// Rigid motions of poses over any field of numbers.
#pragma once

#include <array>
#include <vector>

#include "volcontact/math/pose.h"

namespace volcontact {

/// The matrix R·|q|² of the rotation q/|q|: homogeneous quadratic in q, so free of divisions and
/// roots; `norm` is |q|².
template <class E>
struct HomogeneousRotation {
  std::array<std::array<E, 3>, 3> R;
  E norm;

  explicit HomogeneousRotation(const std::array<double, 4>& q) {
    const E w(q[0]), x(q[1]), y(q[2]), z(q[3]), two(2.0);
    const E ww = w * w, xx = x * x, yy = y * y, zz = z * z;
    const E wx = w * x, wy = w * y, wz = w * z, xy = x * y, xz = x * z, yz = y * z;
    norm = ww + xx + yy + zz;
    R[0] = {E(ww + xx - yy - zz), E(two * (xy - wz)), E(two * (xz + wy))};
    R[1] = {E(two * (xy + wz)), E(ww - xx + yy - zz), E(two * (yz - wx))};
    R[2] = {E(two * (xz - wy)), E(two * (yz + wx)), E(ww - xx - yy + zz)};
  }
};

inline bool HasRotation(const Pose& pose) {
  return pose.q[1] != 0.0 || pose.q[2] != 0.0 || pose.q[3] != 0.0;
}

/// p_B from p_A, given X_AB: R'(p_A − t).
template <class E>
std::array<E, 3> InverseMove(const Pose& X_AB, const std::array<E, 3>& p_A) {
  std::array<E, 3> d = {E(p_A[0] - E(X_AB.t.x())), E(p_A[1] - E(X_AB.t.y())),
                        E(p_A[2] - E(X_AB.t.z()))};
  if (!HasRotation(X_AB)) return d;
  const HomogeneousRotation<E> rotation(X_AB.q);
  std::array<E, 3> p_B;
  for (int j = 0; j < 3; ++j) {
    p_B[j] = (rotation.R[0][j] * d[0] + rotation.R[1][j] * d[1] + rotation.R[2][j] * d[2]) /
             rotation.norm;
  }
  return p_B;
}

/// The point in the innermost frame of a chain of poses listed from the outside in.
template <class E>
std::array<E, 3> IntoFrame(const std::vector<Pose>& poses, std::array<E, 3> p) {
  for (const Pose& pose : poses) p = InverseMove(pose, p);
  return p;
}

}  // namespace volcontact
