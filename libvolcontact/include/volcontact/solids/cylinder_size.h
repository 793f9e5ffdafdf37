// The size of a solid that is a cylinder and nothing else.
#pragma once

#include <optional>

#include "volcontact/export.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

struct CylinderSize {
  double radius = 0.0, height = 0.0;  ///< [m]
};

/// Radius and height of a solid that is one finite cylinder as Cylinder makes it, never posed nor
/// combined; nothing for any other. Any thread.
VOLCONTACT_EXPORT std::optional<CylinderSize> SizeOfCylinder(const Solid& solid);

VOLCONTACT_NAMESPACE_END
