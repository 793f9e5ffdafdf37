// A box as a triangle mesh.
#pragma once

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Twelve faces over the eight corners of min <= p <= max.
TriangleMesh BoxMesh(const Eigen::Vector3d& min, const Eigen::Vector3d& max);

}  // namespace volcontact
