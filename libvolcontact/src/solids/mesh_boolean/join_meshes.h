// Solids with their meshes joined.
#pragma once

#include <memory>
#include <vector>

#include "math/rigid.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// The same solid with one mesh in the place of each boolean combination of meshes among its
/// leaves: hulls that together stand for a part, plates with bores. Its vertices are rounded to
/// doubles, and so are those of meshes that are posed within it; a single mesh stays as it is, and
/// so do combinations that have no bounds or are not closed, as those of meshes that cross
/// themselves. Where meshes have deviations, faces near these have the greatest of them.
/// Some 0.1 ms for each pair of faces that meet.
Solid JoinMeshes(const Solid& solid);

/// A mesh, or what one was joined from, of which faces cross each other by rounding alone.
struct PlacedMesh {
  std::shared_ptr<const MeshTree> mesh;
  std::shared_ptr<const Solid> parts;  ///< null for a mesh that was not joined
  Rigid X;                             ///< in a frame in which vertices are rounded to doubles
  bool is_beyond = false;              ///< what is beyond the mesh is meant
  bool in_b = false;
};

/// The intersection of meshes, in their frame; null if it is empty. If all meshes stand for their
/// complements, it is the complement of the result, whose faces are turned. `shares`: for each face
/// of the tree, how much of it bounds the meshes that are in B, as MeshBoolean::SharesOf. Throws
/// InvalidInput if it is not closed.
std::shared_ptr<const MeshTree> CommonMesh(const std::vector<PlacedMesh>& meshes,
                                           std::vector<float>* shares = nullptr);

}  // namespace volcontact
