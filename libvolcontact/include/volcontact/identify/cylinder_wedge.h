// The wedge that a plane cuts from a cylinder which stands on the rim of its flat end.
//
// Component volcontact::identify.
#pragma once

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// A cylinder of radius r [m] with a flat end, tilted by γ [rad], in a half-space. The depth is
/// measured along the cylinder's axis, at the deepest point of the rim: driven along the normal of
/// the plane by x, it is x/cos γ. Immutable; cost: below a microsecond.
class VOLCONTACT_EXPORT CylinderWedge {
 public:
  /// Throws InvalidInput unless the radius is positive and the tilt in (0, π/2).
  CylinderWedge(double radius, double tilt);

  /// The depth 2 r tan γ [m] at which the whole end is in the half-space: up to it, the volume is
  /// that of a wedge. The cylinder must be at least as long.
  double max_depth() const { return max_depth_; }

  /// The volume [m³] of Boos 2011, Eqs. (3.19)–(3.21), at a depth in [0, max_depth()]; to rounding,
  /// also where the printed form cancels. Throws InvalidInput beyond.
  double Volume(double depth) const;

 private:
  double radius_, slope_, max_depth_;
};

}  // namespace identify
VOLCONTACT_NAMESPACE_END
