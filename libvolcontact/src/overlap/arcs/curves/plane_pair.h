// The curves of two quadrics that lie in two planes and cross each other.
#pragma once

#include <vector>

#include "overlap/arcs/curves/quadric_curves.h"

namespace volcontact {

/// Adds the curves of two quadrics with a centre or an axis where their pencil holds a pair of
/// planes, as that of two cylinders of one radius whose axes meet, however small their angle, or of
/// an ellipsoid that is turned about one of its axes: the sections of one in both planes, each
/// ended where it crosses the other plane. False where there is no such pair, or a section is not
/// known.
bool AddPlanePair(const CurveSurface& first, const CurveSurface& second,
                  std::vector<WholeCurve>* curves);

}  // namespace volcontact
