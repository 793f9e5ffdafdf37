// A closed mesh cut by a plane.
#pragma once

#include <Eigen/Core>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// The part of a closed mesh on the inner side of a plane, (x − point)·normal <= 0, closed by faces
/// in the plane; without faces where there is none. Vertices within rounding of the plane are taken
/// to be on it. Cut points depend on the edge alone, so that what two planes leave on either side
/// of a third one fits together.
TriangleMesh CutByPlane(const TriangleMesh& mesh, const Eigen::Vector3d& point,
                        const Eigen::Vector3d& normal);

}  // namespace volcontact
