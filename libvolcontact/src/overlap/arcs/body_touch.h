// The places where the boundaries of A and B touch.
#pragma once

#include "overlap/frame/surface_set.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Whether a face of A and a face of B touch, to rounding, in a point, along a line or as a whole.
/// The volume has no second derivative there: on one side it grows with at most the second power of
/// the depth, and on the other side it does not. `box` contains the region, in the set's frame. The
/// search in cells takes some microseconds. It gives up, with false, if faces of A and B run along
/// each other at a distance.
bool DoFacesTouch(const SurfaceSet& set, const Aabb& box);

}  // namespace volcontact
