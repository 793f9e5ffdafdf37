// The distance of a mesh and a convex primitive.
#pragma once

#include "math/rigid.h"
#include "overlap/distance/convex_body.h"
#include "overlap/distance/nearest_pair.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// The distance of a mesh's surface and a body, the mesh at X_BM, with nearest points in the body's
/// frame, the mesh's first: bounded within 2 %, or to where it is certainly not less than `enough`
/// [m]. 0 where they meet, and where the effort (some 10 ms) is spent on a mesh of which very many
/// faces are about as near. Best first over the tree of the mesh: a node, or a face, is bounded by
/// supporting planes of the body, which are across the faces that are near, and their edges.
NearestPair MeshBodyDistance(const MeshTree& mesh, const ConvexBody& body, const Rigid& X_BM,
                             double enough);

}  // namespace volcontact
