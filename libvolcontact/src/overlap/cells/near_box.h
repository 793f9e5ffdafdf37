// A region near a box, described by few surfaces.
#pragma once

#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"

namespace volcontact {

/// A set that is the same within a frame's box and some way around it, put together from the
/// surfaces that are not decided there; what A and B ask for by themselves, where they share a
/// surface, likewise. Farther off, where that leaves some out, it ends at an ellipsoid of no owner
/// about the box. `result`, another set, keeps its memory. Cost: a few hundred nanoseconds a
/// surface.
void TakeNearBox(const SurfaceSet& set, const LocalFrame& box, SurfaceSet* result);

}  // namespace volcontact
