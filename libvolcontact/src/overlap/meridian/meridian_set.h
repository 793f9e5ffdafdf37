// The room `meridian`: regions of revolution, as aligned parts make them, in their half-plane.
//
// A region whose surfaces are all of revolution about one axis.
#pragma once

#include <vector>

#include "overlap/frame/surface_set.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A surface of revolution about the z axis of a frame M, in the half-plane of radius ρ >= 0 and
/// height z: k ρ² + l ρ + m z² + n z + e, of psi's sign. Tori alone have an l.
struct MeridianProfile {
  DoubleDouble k, l, m, n, e;
  double askew = 0.0;  ///< bound, over the rectangle, of what psi differs from that around the axis
};

/// A rectangle of a half-plane: its centre and half extents [m], rho >= half_rho.
struct MeridianRectangle {
  double rho = 0.0, z = 0.0, half_rho = 0.0, half_z = 0.0;
};

/// A region of revolution: what of a set is undecided in a box.
struct MeridianSet {
  Rigid X_AM;  ///< z along the axis
  /// Holds all of the box: the region, and perhaps more where the expression has a meaning no more.
  MeridianRectangle rectangle;
  /// All of what this sweeps lies in the box, or next to it: parts in here are of the region.
  MeridianRectangle inner;
  Expression expression;
  std::vector<Truth> states;              ///< of the surfaces that are decided
  std::vector<MeridianProfile> profiles;  ///< by surface, of those in the expression
};

/// The region of a set, which `box` contains in the set's frame, where all surfaces that are
/// undecided in it are of revolution about one axis: planes across it, tori, and quadrics, to
/// `askew` of their size. Otherwise false, mostly after the first few surfaces: a microsecond.
bool FindMeridian(const SurfaceSet& set, const Aabb& box, double askew, MeridianSet* result);

}  // namespace volcontact
