// The curves in which a quadric meets the rulings of a cylinder or a cone, in closed form.
#pragma once

#include <vector>

#include "overlap/arcs/curves/quadric_curves.h"

namespace volcontact {

/// Adds the curves of a quadric and a ruled one. False if the other quadric is nearly flat along
/// the rulings, if the curves nearly cross themselves, or if rounding decides where they turn back.
bool AddOnRulings(const RuledQuadric& ruled, const CurveSurface& other,
                  std::vector<WholeCurve>* curves);

}  // namespace volcontact
