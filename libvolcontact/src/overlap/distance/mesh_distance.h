// Lower bounds of the distance of separated meshes.
#pragma once

#include "overlap/meshes/mesh_half_space.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// The distance of the surfaces of two meshes that do not cross, B at X_AB, rounded down; 0 when
/// one lies inside the other's box of a face or nearer than rounding tells. Branch and bound.
double MeshDistance(const MeshTree& A, const MeshTree& B, const Rigid& X_AB);

/// The height of a mesh's lowest vertex above a plane, rounded down, at least 0.
double MeshHeight(const MeshTree& mesh, const MeshPlane& plane);

}  // namespace volcontact
