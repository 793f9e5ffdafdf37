// Faces of one mesh that lie on those of another, but for roundings.
#pragma once

#include <Eigen/Core>

#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// How the faces of a mesh lie on a plane: on it with the same normal, or with the opposite one.
enum class FaceOnPlane { kNone, kSame, kOpposite };

/// The face of a mesh that is no farther than `distance` [m] from a point and lies, but for
/// roundings, in the plane through the point with a normal of any length. Cost: that of a descent
/// in the mesh's tree.
FaceOnPlane FindFaceOnPlane(const MeshTree& mesh, const Eigen::Vector3d& point,
                            const Eigen::Vector3d& normal, double distance);

}  // namespace volcontact
