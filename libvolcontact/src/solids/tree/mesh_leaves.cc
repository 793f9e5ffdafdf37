#include "solids/tree/mesh_leaves.h"

#include <algorithm>
#include <variant>

#include "solids/tree/solid_node.h"

VOLCONTACT_NAMESPACE_BEGIN

bool HoldsMesh(const Solid& solid) {
  const Shape& shape = solid.node().shape;
  if (std::holds_alternative<MeshShape>(shape)) return true;
  const auto* boolean = std::get_if<BooleanShape>(&shape);
  return boolean != nullptr &&
         std::any_of(boolean->children.begin(), boolean->children.end(), HoldsMesh);
}

VOLCONTACT_NAMESPACE_END
