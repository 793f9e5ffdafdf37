#include "volcontact/contact/cells.h"

#include <span>
#include <variant>
#include <vector>

#include "solids/tree/solid_node.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Whether the earlier solid takes anything away. Undecided means a touch: that takes nothing.
bool MayOverlap(const Solid& a, const Solid& b) {
  const Aabb common = Intersect(a.Bounds(), b.Bounds());
  if (common.IsEmpty()) return false;
  // The test needs a bounded region to search.
  if (!common.IsBounded()) return true;
  return PreparedPair(a, b).Overlaps(Pose(), Pose()) == OverlapProof::kOverlap;
}

Solid Less(const Solid& child, std::span<const Solid> earlier) {
  std::vector<Solid> cuts;
  for (const Solid& solid : earlier) {
    if (MayOverlap(child, solid)) cuts.push_back(solid);
  }
  return cuts.empty() ? child : Difference(child, cuts);
}

Solid PosedAs(Solid solid, const std::vector<Pose>& poses) {
  for (auto pose = poses.rbegin(); pose != poses.rend(); ++pose) solid = solid.Posed(*pose);
  return solid;
}

}  // namespace

std::vector<Solid> DisjointCells(const Solid& solid) {
  const SolidNode& node = solid.node();
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr || boolean->kind != BooleanShape::Kind::kUnion ||
      boolean->children.empty()) {
    return {solid};
  }
  const std::span<const Solid> children = boolean->children;
  std::vector<Solid> cells;
  if (children.size() == 1) {
    cells = DisjointCells(children[0]);
  } else {
    for (std::size_t i = 0; i < children.size(); ++i) {
      cells.push_back(Less(children[i], children.first(i)));
    }
  }
  for (Solid& cell : cells) cell = PosedAs(cell, node.poses);
  return cells;
}

VOLCONTACT_NAMESPACE_END
