// Closed curves of two surfaces that are graphs over a plane, as in shallow contacts.
#pragma once

#include <vector>

#include "overlap/arcs/curves/quadric_curves.h"

namespace volcontact {

/// Adds all of the curve of two quadrics that lies in the unit cube, where it is one loop about a
/// point: where both surfaces are graphs over the plane of two axes, and the difference of these
/// graphs is convex and changes its sign. Adds nothing where that keeps its sign. False where
/// neither is proved.
bool AddLoop(const CurveSurface& first, const CurveSurface& second,
             std::vector<WholeCurve>* curves);

}  // namespace volcontact
