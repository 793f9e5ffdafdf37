// A solid for distance computations: a union of meshes, convex primitives, and the rest.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "overlap/cells/operands/indexed_solid.h"
#include "overlap/distance/convex_cover.h"
#include "overlap/distance/meshes/convex_body.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/tree/solid_node.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// One operand of a solid's outermost unions, in its own frame P. A box is a mesh here.
struct DistancePart {
  Rigid X_SP;   ///< in the solid's frame
  Solid solid;  ///< the part itself, in P
  std::shared_ptr<const MeshTree> mesh;
  std::vector<Eigen::Vector3d> shells;  ///< a vertex of each shell of the mesh
  std::optional<ConvexBody> body;
  std::optional<TorusShape> torus;
  /// The part as surfaces; null where it is a mesh or there is one in it.
  std::shared_ptr<const IndexedSolid> whole;
  std::shared_ptr<const ConvexCover> cover;  ///< where there is a `whole`

  /// Sets that contain the part of an intersection or a difference, each a union: the operands, and
  /// the complements of the cuts. None in place of a cut with a mesh in it.
  std::vector<std::vector<DistancePart>> covers;
  /// Whose intersection the part is, in the order of its covers; of the cuts of a difference the
  /// complement.
  std::vector<Solid> factors;
  std::size_t first_cut = 0;

  /// Whether a point of one cover is a point of the part, but for roundings.
  bool Holds(const Eigen::Vector3d& p_P, std::size_t of_cover) const;
};

/// The parts of a solid. Meshes are shared with it; of the rest what has no mesh in it is compiled.
std::vector<DistancePart> PartsOf(const Solid& solid);

}  // namespace volcontact
