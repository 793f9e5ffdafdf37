// A torus in a local frame.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/arithmetic/vector_double_double.h"
#include "overlap/arcs/curves/whole_curve.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {

/// A torus in the frame C of a problem. It returns points in the cube's coordinates.
class LocalTorus {
 public:
  LocalTorus(const TorusSurface& torus, const LocalFrame& frame);

  /// In C [m].
  const Vector3dd& axis() const { return axis_; }
  const Vector3dd& center() const { return center_; }

  /// The points where the normal is along a direction of C, or against it.
  std::array<Eigen::Vector3d, 4> ExtremesAlong(const Eigen::Vector3d& n_C) const;
  /// The point of the section at the angle φ around the axis where the normal is at right angles to
  /// a direction of C, on one side of the tube or the other (1, −1), with the derivative by φ. The
  /// direction must not be at right angles to the section.
  CurvePoint OutlineAt(double phi, int side, const Eigen::Vector3d& n_C) const;
  /// The angle φ of a point of the cube, and that at which a direction of C is across the section's
  /// radius; there is another half a turn away.
  double AngleOf(const Eigen::Vector3d& p) const;
  double AngleAcross(const Eigen::Vector3d& n_C) const;

 private:
  Eigen::Vector3d ToCube(const Eigen::Vector3d& p_C) const { return p_C.cwiseQuotient(half_); }

  Vector3dd axis_, center_;
  double major_, minor_;
  Eigen::Vector3d half_, axis_C_, center_C_;
};

}  // namespace volcontact
