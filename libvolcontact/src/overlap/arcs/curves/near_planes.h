// Planes that are nearly parallel.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Where two planes cross at an angle below 1e-6, the plane through their line that is across the
/// second: the difference of the two, scaled to order one. On the second plane it has the sign of
/// the first, and vanishes where they cross. Its coefficients keep their digits where the values of
/// the first are nothing but rounding; so all edges that end at the line end in the same points,
/// and differ from those of the planes by the rounding of these. Empty for other surfaces, and for
/// planes that are parallel.
std::optional<LocalSurface> DifferenceOfPlanes(const LocalSurface& first,
                                               const LocalSurface& second);

}  // namespace volcontact
