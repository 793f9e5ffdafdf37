// Lower bounds of the distance of separated meshes.
#pragma once

#include <limits>

#include "overlap/distance/faces/nearest_pair.h"
#include "overlap/meshes/sums/mesh_half_space.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// The distance of the surfaces of two meshes, B at X_AB, rounded down, with nearest points in A's
/// frame; 0 if they cross, or if their gap is below rounding. If it is at least `enough` [m], it
/// may be any bound of at least that. Branch and bound.
NearestPair MeshDistance(const MeshTree& A, const MeshTree& B, const Rigid& X_AB,
                         double enough = std::numeric_limits<double>::infinity());

/// The height of a mesh's lowest vertex above a plane, rounded down, at least 0, with that vertex
/// and its foot.
NearestPair MeshHeight(const MeshTree& mesh, const MeshPlane& plane);

}  // namespace volcontact
