// The distance of a mesh and a convex primitive.
#pragma once

#include "math/rigid.h"
#include "overlap/distance/faces/nearest_pair.h"
#include "overlap/distance/meshes/convex_body.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// A lower bound of the distance between a body and the surface of a mesh at X_BM, within 2 %. The
/// nearest points are in the body's frame, the mesh's point first. The search ends early once the
/// distance is certainly at least `enough` [m]. The bound is 0 if they meet, and if the effort
/// (some 10 ms) does not suffice, because very many faces are about as near. Nodes of the mesh's
/// tree are searched best first. Supporting planes of the body, across the near faces and their
/// edges, bound the distance of a node or a face.
NearestPair MeshBodyDistance(const MeshTree& mesh, const ConvexBody& body, const Rigid& X_BM,
                             double enough);

}  // namespace volcontact
