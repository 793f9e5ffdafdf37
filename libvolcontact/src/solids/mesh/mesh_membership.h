// Exact membership of a point in a mesh.
#pragma once

#include <array>

#include "solids/exact/exact_number.h"
#include "solids/exact/truth.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Whether p, in the mesh's frame, lies inside; unknown when it lies on a face. Exact; the cost
/// grows with the faces along a ray.
Truth LocateInMesh(const MeshTree& mesh, const std::array<Rational, 3>& p);
/// The same of a point in doubles, which mostly decide; exact where they do not.
Truth LocateInMesh(const MeshTree& mesh, const Eigen::Vector3d& p);

}  // namespace volcontact
