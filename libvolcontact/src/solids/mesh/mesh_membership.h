// Exact membership of a point in a mesh. Of rational points: exact_mesh_membership.h.
#pragma once

#include <Eigen/Core>

#include "solids/exact/truth.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Whether p, in the mesh's frame, lies inside; unknown when it lies on a face. Exact: doubles
/// mostly decide, rationals where they do not. The cost grows with the faces along a ray.
Truth LocateInMesh(const MeshTree& mesh, const Eigen::Vector3d& p);

}  // namespace volcontact
