#include "volcontact/solids/cylinder_size.h"

#include <cmath>

#include "solids/tree/solid_node.h"

VOLCONTACT_NAMESPACE_BEGIN

std::optional<CylinderSize> SizeOfCylinder(const Solid& solid) {
  const auto* const shape = std::get_if<CylinderShape>(&solid.node().shape);
  if (shape == nullptr || !solid.node().poses.empty() || std::isinf(shape->height)) {
    return std::nullopt;
  }
  return CylinderSize{shape->radius, shape->height};
}

VOLCONTACT_NAMESPACE_END
