// The room `queries`: what a Solid is asked. It sees surfaces, meshes and exact numbers together.
//
// Exact point membership.
#pragma once

#include <Eigen/Core>

#include "solids/tree/solid_node.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Which arithmetic decided a membership.
enum class MembershipPath { kFilter, kExact };

/// Solid::Locate, telling how the answer was found where `path` is given. Throws InvalidInput when
/// p is not finite.
Membership LocatePoint(const SolidNode& node, const Eigen::Vector3d& p,
                       MembershipPath* path = nullptr);

}  // namespace volcontact
