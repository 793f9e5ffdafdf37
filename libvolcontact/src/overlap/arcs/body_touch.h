// The places where the boundaries of A and B touch.
#pragma once

#include "overlap/frame/surface_set.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Whether, to rounding, a face of A and a face of B touch somewhere, in a point, along a line or
/// as a whole: the volume grows there with a power of the depth of two or less to one side and not
/// to the other, so that it has no second derivative. `box` contains the region, in the set's
/// frame. A search in cells of some microseconds, which ends without an answer, as false, where
/// faces of A and B run along each other at a distance.
bool DoFacesTouch(const SurfaceSet& set, const Aabb& box);

}  // namespace volcontact
