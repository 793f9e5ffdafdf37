// Sums over flat faces.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "overlap/arcs/faces/boundary_sums.h"
#include "solids/mesh/face_sums.h"

namespace volcontact {

/// Adds a triangle, counterclockwise seen from outside.
void AddTriangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r,
                 BoundarySums* sums);

/// The sums about an origin d before the centre, of faces with the sums `faces` about the centre.
BoundarySums ToBoundarySums(const FaceSums& faces, const Eigen::Vector3d& d);

/// Sums about an origin, in the coordinates that a linear map makes of theirs.
BoundarySums Mapped(const BoundarySums& sums, const Eigen::Matrix3d& L);

}  // namespace volcontact
