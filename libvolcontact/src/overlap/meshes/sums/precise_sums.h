// Integrals over oriented faces in double-double arithmetic.
#pragma once

#include <Eigen/Geometry>

#include "math/rigid.h"
#include "solids/mesh/face_sums.h"

namespace volcontact {

/// SurfaceSums for overlaps that are thin in a direction across the axes: the faces' terms are then
/// larger than the volume by more than doubles can hold.
struct PreciseSums {
  DoubleDouble flux_0;
  Vector3dd flux_1, area, torque;
  std::array<DoubleDouble, 6> flux_2;

  /// Adds the triangle p, q, r, counterclockwise from outside. Its area vector is returned.
  Eigen::Vector3d AddTriangle(const Vector3dd& p, const Vector3dd& q, const Vector3dd& r);

  PreciseSums& operator+=(const PreciseSums& other);

  SurfaceSums Rounded() const;
};

/// Relative rounding of the sums over one triangle in doubles, or of shifting the sums of a node.
inline constexpr double kTermRounding = 0x1p-48;
/// The same in double-doubles, and that of points about an origin relative to the coordinates they
/// are made of.
inline constexpr double kPreciseTermRounding = 0x1p-94, kPrecisePointRounding = 0x1p-98;

/// Bound of the change of the cone volume over the triangle c p q when its corners move by e each,
/// and of the rounding of its sums, relative to their terms.
inline double ConeError(const Eigen::Vector3d& c, const Eigen::Vector3d& p,
                        const Eigen::Vector3d& q, double e, double rounding) {
  const Eigen::Vector3d a = c.cwiseAbs(), b = p.cwiseAbs(), d = q.cwiseAbs();
  const double products = a.dot(Eigen::Vector3d(
      b[1] * d[2] + b[2] * d[1], b[2] * d[0] + b[0] * d[2], b[0] * d[1] + b[1] * d[0]));
  return e * (c.cross(p).norm() + p.cross(q).norm() + q.cross(c).norm()) / 6.0 +
         rounding * products;
}

}  // namespace volcontact
