// Bounding boxes of solids.
#pragma once

#include "solids/tree/solid_node.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Solid::Bounds.
Aabb BoundSolid(const SolidNode& node);

}  // namespace volcontact
