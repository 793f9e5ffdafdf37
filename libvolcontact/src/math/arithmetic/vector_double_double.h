// Vectors in three dimensions of double-double numbers.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/arithmetic/double_double.h"
#include "math/arithmetic/vector3.h"

namespace volcontact {

using Vector3dd = std::array<DoubleDouble, 3>;
/// By rows.
using Matrix3dd = std::array<Vector3dd, 3>;

inline Vector3dd ToDoubleDouble(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Eigen::Vector3d Round(const Vector3dd& v) { return {v[0].hi, v[1].hi, v[2].hi}; }

inline Vector3dd PlusScaled(const Vector3dd& a, const DoubleDouble& s, const Vector3dd& v) {
  return {a[0] + s * v[0], a[1] + s * v[1], a[2] + s * v[2]};
}
inline Vector3dd Normalized(const Vector3dd& a) {
  const DoubleDouble inverse = DoubleDouble(1.0) / Sqrt(Dot(a, a));
  return {a[0] * inverse, a[1] * inverse, a[2] * inverse};
}

}  // namespace volcontact
