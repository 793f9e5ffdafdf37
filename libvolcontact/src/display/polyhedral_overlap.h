// Overlaps of solids with plane faces as closed meshes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/display/display.h"
#include "volcontact/math/aabb.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// The boundary of an overlap, in A's frame.
struct PolyhedralOverlap {
  std::shared_ptr<const MeshTree> mesh;  ///< null without overlap
  std::vector<DisplayOwner> owners;      ///< of each face of the tree
};

/// The overlap of solids built of meshes, boxes, slabs and half-spaces alone, as a closed mesh. Its
/// vertices are rounded to doubles. nullopt for other solids, for meshes that cross themselves, and
/// for solids of more than 64 leaves or 4 unbounded ones, whose pairs would take too long. `box`:
/// bounded, in A's frame; holds the overlap. Cost: about 0.1 ms for each pair of faces that cross.
std::optional<PolyhedralOverlap> FindPolyhedralOverlap(const Solid& A, const Solid& B,
                                                       const Rigid& X_AB, const Aabb& box);

}  // namespace volcontact
