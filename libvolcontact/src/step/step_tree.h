// A solid as an expression over its surfaces, learned from points that are known to be inside or
// outside.
#pragma once

#include <optional>
#include <vector>

#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Which sides of surfaces are parted first, of those that hold no face: in a part whose surfaces
/// go on beyond its faces, one or the other leads to fewer regions of which no point is known.
enum class EmptySides {
  kOfOneLabel,  ///< such whose points are all inside, or all outside
  kOfAny,       ///< others, too, whose points separators tell apart later
};

/// A decision tree over the sides of surfaces: those of faces, and separators, which part regions
/// that are on the same sides of all faces' surfaces, as beside a fillet. It holds what is known of
/// `points`, and of points beside faces; that no region was missed is for the caller to check.
/// Nothing where points inside and outside are on the same sides of all.
std::optional<Solid> SolidByTree(const StepSolid& step, const std::vector<StepPoint>& points,
                                 EmptySides sides);

}  // namespace volcontact
