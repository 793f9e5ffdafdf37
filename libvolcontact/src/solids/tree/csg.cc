#include "volcontact/solids/csg.h"

#include <utility>

#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

Solid MakeBoolean(BooleanShape::Kind kind, std::vector<Solid> children) {
  return Solid(
      std::make_shared<const SolidNode>(SolidNode{BooleanShape{kind, std::move(children)}, {}}));
}

}  // namespace

Solid Union(std::vector<Solid> solids) {
  if (solids.empty()) throw InvalidInput("Union: the list of solids is empty; give at least one");
  return MakeBoolean(BooleanShape::Kind::kUnion, std::move(solids));
}

Solid Intersection(std::vector<Solid> solids) {
  if (solids.empty()) {
    throw InvalidInput("Intersection: the list of solids is empty; give at least one");
  }
  return MakeBoolean(BooleanShape::Kind::kIntersection, std::move(solids));
}

Solid Difference(const Solid& base, const std::vector<Solid>& cuts) {
  std::vector<Solid> children = {base};
  children.insert(children.end(), cuts.begin(), cuts.end());
  return MakeBoolean(BooleanShape::Kind::kDifference, std::move(children));
}

Solid Complement(const Solid& solid) {
  return MakeBoolean(BooleanShape::Kind::kComplement, {solid});
}

VOLCONTACT_NAMESPACE_END
