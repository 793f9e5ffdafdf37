// A surface restricted to a planar slice along z.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/plane_curves.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// A surface psi on the slice through `base` along `direction` of the base plane: a polynomial in
/// (v, z), base position base + v·direction, with its derivative across the slice (towards
/// (−direction_y, direction_x)). Degree <= 2 is held as a z² + (b0 + b1 v) z + c0 + c1 v + c2 v²,
/// with derivative p0 + pv v + pz z; higher degrees as coefficients q[j][k], r[j][k] of v^j z^k.
struct SliceSurface {
  int degree = 0;
  bool wall = false;
  double a = 0, b0 = 0, b1 = 0, c0 = 0, c1 = 0, c2 = 0;
  double p0 = 0, pv = 0, pz = 0;
  std::array<std::array<double, 5>, 5> q{};
  std::array<std::array<double, 4>, 4> r{};

  double B(double v) const { return b0 + b1 * v; }
  double C(double v) const { return c0 + (c1 + c2 * v) * v; }
  /// Coefficients in z of the column polynomial at v, ascending, for degree > 2.
  std::array<double, 5> ColumnPolynomial(double v) const;

  double Value(double v, double z) const;
  /// The coefficients in v of a wall of degree > 2.
  std::array<double, 5> WallPolynomial() const;

  /// The polynomial in t and u of v = center + half_v t, z = half_z u.
  Bivariate Curve(double center, double half_v, double half_z) const;

  /// The gradient (∂/∂v, ∂/∂across, ∂/∂z) at a point of the slice.
  Eigen::Vector3d Gradient(double v, double z) const;
};

/// Restricts a surface to a slice.
void Restrict(const LocalSurface& surface, const Eigen::Vector2d& base,
              const Eigen::Vector2d& direction, SliceSurface* result);

}  // namespace volcontact
