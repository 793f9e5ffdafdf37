// Boolean combinations of solids (regularised). They share their operands, so that each costs a
// node and a pointer an operand; any number of threads may call these functions at a time.
#pragma once

#include <vector>

#include "volcontact/export.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Union of at least one solid.
VOLCONTACT_EXPORT Solid Union(std::vector<Solid> solids);
/// Intersection of at least one solid.
VOLCONTACT_EXPORT Solid Intersection(std::vector<Solid> solids);
/// base minus every cut.
VOLCONTACT_EXPORT Solid Difference(const Solid& base, const std::vector<Solid>& cuts);
/// Everything outside.
VOLCONTACT_EXPORT Solid Complement(const Solid& solid);

VOLCONTACT_NAMESPACE_END
