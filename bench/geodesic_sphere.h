// Spheres of many triangles.
#pragma once

#include <Eigen/Core>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::bench {

/// An icosahedron with each face cut into f² and blown up to radius 1, turned by R: 20 f²
/// triangles, 0 < f < 2^16.
TriangleMesh GeodesicSphere(int f, const Eigen::Matrix3d& R);

}  // namespace volcontact::bench
