// What a solid is asked: the part of its class that needs surfaces, meshes and exact numbers.
#include "solids/implicit/convexity.h"
#include "solids/queries/membership.h"
#include "solids/queries/solid_bounds.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

Membership Solid::Locate(const Eigen::Vector3d& p) const { return LocatePoint(*node_, p); }

Aabb Solid::Bounds() const { return BoundSolid(*node_); }

bool Solid::IsConvex() const { return IsConvexByConstruction(*node_); }

VOLCONTACT_NAMESPACE_END
