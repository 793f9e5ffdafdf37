// A torus about one of its points.
#pragma once

#include <Eigen/Core>

#include "math/arithmetic/vector_double_double.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {

/// The point of a torus that is nearest to a given one, with the directions there, in a frame C and
/// in metres: what lies next to it keeps all its digits, however thin the frame is.
struct TorusBase {
  DoubleDouble major, minor;
  Vector3dd center, axis;     ///< of the torus
  Vector3dd outward, around;  ///< with the axis an orthonormal right-handed system
  DoubleDouble cosine, sine;  ///< of the angle θ in the tube's section, from outward to the axis
  double angle = 0.0;         ///< θ
  Vector3dd normal, rising;   ///< along rising distance from the tube's middle, and rising θ
  Vector3dd point;

  /// `near`: in the frame's scaled coordinates.
  TorusBase(const TorusSurface& torus, const LocalFrame& frame, const Eigen::Vector3d& near);
};

}  // namespace volcontact
