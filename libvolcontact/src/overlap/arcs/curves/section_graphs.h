// Plane sections of quadrics other than well-conditioned ellipses.
#pragma once

#include <vector>

#include "overlap/arcs/curves/quadric_curves.h"

namespace volcontact {

/// Adds what of the section lies in the unit cube as graphs over lines of the plane: parabolas and
/// arcs of ellipses whose other end is far away, as in frames of thin contacts, and curves nearly
/// parallel, as where a plane that is nearly along a cylinder cuts it. False where it is neither.
bool AddSectionGraphs(const LocalSurface& plane, const CurveSurface& quadric,
                      std::vector<WholeCurve>* curves);

}  // namespace volcontact
