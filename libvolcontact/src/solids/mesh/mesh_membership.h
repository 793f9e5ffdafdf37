// Exact membership of a point in a mesh. Of rational points: exact_mesh_membership.h.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "solids/exact/truth.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// How often the mesh encloses p, given in its frame: 0 or 1, unless the mesh crosses itself. None
/// when p lies on a face. Exact: doubles mostly decide, rationals where they do not. The cost grows
/// with the faces along a ray.
std::optional<int> WindingInMesh(const MeshTree& mesh, const Eigen::Vector3d& p);

/// Whether p lies inside, by whether that number is odd; unknown when it lies on a face.
Truth LocateInMesh(const MeshTree& mesh, const Eigen::Vector3d& p);

}  // namespace volcontact
