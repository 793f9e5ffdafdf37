// Convexity by construction.
#pragma once

#include "solids/tree/solid_node.h"

namespace volcontact {

/// True when the solid is convex because of what it is made of: a convex primitive, or an
/// intersection of convex solids. Never wrong; false where unsure.
bool IsConvexByConstruction(const SolidNode& node);

}  // namespace volcontact
