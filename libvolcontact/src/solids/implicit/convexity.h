// Convexity and connected parts by construction.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solids/tree/solid_node.h"

namespace volcontact {

/// True when the solid is convex because of what it is made of: a convex primitive, or an
/// intersection of convex solids. Never wrong; false where unsure.
bool IsConvexByConstruction(const SolidNode& node);

/// A point within each of the primitives that a solid is the union of, all of them connected, in
/// the solid's frame; none if it is another solid.
std::vector<Eigen::Vector3d> PointsOfParts(const SolidNode& node);

}  // namespace volcontact
