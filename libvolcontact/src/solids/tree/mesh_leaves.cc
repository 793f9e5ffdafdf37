#include "solids/tree/mesh_leaves.h"

#include <algorithm>
#include <memory>
#include <utility>
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

Solid MapLeaves(const Solid& solid, const std::function<Solid(const Solid& leaf)>& replace) {
  SolidNode node = solid.node();
  auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) return replace(solid);
  for (Solid& child : boolean->children) child = MapLeaves(child, replace);
  return Solid(std::make_shared<const SolidNode>(std::move(node)));
}

VOLCONTACT_NAMESPACE_END
