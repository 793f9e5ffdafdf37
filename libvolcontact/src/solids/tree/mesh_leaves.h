// Meshes among the leaves of a solid's tree.
#pragma once

#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Whether the solid is a mesh, or is built of one.
bool HoldsMesh(const Solid& solid);

VOLCONTACT_NAMESPACE_END
