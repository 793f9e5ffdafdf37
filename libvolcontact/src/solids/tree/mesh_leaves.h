// The leaves of a solid's tree, and meshes among them.
#pragma once

#include <functional>

#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Whether the solid is a mesh, or is built of one.
bool HoldsMesh(const Solid& solid);

/// The same solid with each leaf replaced. A leaf has its own poses; poses of combinations stay.
Solid MapLeaves(const Solid& solid, const std::function<Solid(const Solid& leaf)>& replace);

VOLCONTACT_NAMESPACE_END
