// Bounds on the distance of points from a surface, from bounds of its polynomial.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "overlap/frame/local_problem.h"
#include "solids/implicit/implicit_solid.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {

/// A quadric psi = level + Σ values_k (axes_k·(x − center))², the axes orthonormal.
struct QuadricAxes {
  Eigen::Vector3d center, values;  ///< of a cylinder the value along its lines is 0
  Eigen::Matrix3d axes;            ///< by columns
  double level = 0.0;

  QuadricAxes(const Polynomial<double>& psi, SurfaceKind kind);
  /// Which axis has the value that is of another sign, or differs most from both others.
  int Odd() const;
};

/// A torus in the scaled coordinates of a frame whose half extents are equal, with polynomials of
/// degree two of a point q from its centre.
struct ScaledTorus {
  TorusSurface surface;  ///< in the solid's frame [m]
  double major, minor;
  Eigen::Vector3d center, axis;
  LocalSurface sum;     ///< |q|² + R² − r²
  LocalSurface across;  ///< |q|² − (q·axis)², the square of the distance from the axis

  ScaledTorus(const TorusSurface& torus, const LocalFrame& frame);
};

/// A surface whose distance has a bound from below. In scaled coordinates, whose half extents are
/// equal. Distances are exact for planes, spheres, circular cylinders and cones, and tori, and
/// right to second order for other quadrics.
class SurfaceGap {
 public:
  /// Nothing for surfaces of degree three and four that are no tori.
  static std::optional<SurfaceGap> Of(const LocalSurface& surface, SurfaceKind kind,
                                      const std::optional<ScaledTorus>& torus);

  /// The sign with which a surface's function is positive off the side psi <= 0, or psi >= 0 if
  /// `above`. The function is psi; of a torus it is (ρ − R)² + z² − r², or, as a quartic, that
  /// times (ρ + R)² + z² − r², whatever psi's sign.
  double SignOf(bool above) const { return IsHollow(above) ? -1.0 : 1.0; }

  /// A lower bound of the distance from a point to that side, where the function times its sign is
  /// at least `least` and the modulus of `factor` is at most `most_factor`.
  double Distance(bool above, double least, double most_factor, bool is_quartic) const;

  /// A polynomial on which the distance depends besides, if any: the distance along a cone's axis,
  /// the square of the distance from a torus's, or of the length of the gradient.
  const std::optional<LocalSurface>& factor() const { return factor_; }
  const std::optional<ScaledTorus>& torus() const { return torus_; }
  /// The axis of a circular cylinder or cone, and of a torus.
  const std::optional<Eigen::Vector3d>& axis() const { return axis_; }

  /// The foot of a point near the surface, right to second order in the distance.
  Eigen::Vector3d FootOf(const Eigen::Vector3d& p) const;

 private:
  enum class Kind { kPlane, kRound, kCone, kTorus, kQuadric };

  bool IsHollow(bool above) const { return above != (torus_ && torus_->surface.positive_inside); }

  Kind kind_ = Kind::kPlane;
  LocalSurface surface_;
  std::optional<LocalSurface> factor_;
  std::optional<ScaledTorus> torus_;
  std::optional<Eigen::Vector3d> axis_;
  // psi = scale (ρ² − slope² z²) of a cone, scale (|q|² − R²) of a sphere or cylinder; the length
  // of a plane's gradient; the least and the largest second derivative of a quadric.
  double scale_ = 1.0, radius_ = 0.0, slope_ = 0.0, cosine_ = 1.0;
  double least_second_ = 0.0, most_second_ = 0.0;
};

}  // namespace volcontact
