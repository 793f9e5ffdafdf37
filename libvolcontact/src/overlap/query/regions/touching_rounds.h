// Cylinders and balls that touch other surfaces of their own body: edges and corners that are
// rounded by unions with them.
#pragma once

#include <optional>

#include "overlap/frame/surface_set.h"

namespace volcontact {

/// Sums over edges find no edge where two surfaces touch along it. They do where the round ones are
/// a little smaller: what they touch then stands out from them by a step, whose sides cross at
/// right angles. No two move by the same, so that those of one radius do not touch, either.

/// The set with the radii of all cylinders and balls smaller that touch a plane, a cylinder or a
/// ball of their own body, to about 1e-6 of `size` [m]; by `step` [m] to four times as much. None
/// where there are none. Cost: some 10 ns for each pair of surfaces.
std::optional<SurfaceSet> WithoutTouches(const SurfaceSet& set, double size, double step);

}  // namespace volcontact
