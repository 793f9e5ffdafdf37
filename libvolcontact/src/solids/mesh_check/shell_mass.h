// Volumes of shells and mass properties of a mesh that need not be sound.
#pragma once

#include <vector>

#include "solids/mesh_check/mesh_topology.h"
#include "volcontact/solids/mesh_check.h"

namespace volcontact {

/// All shells, their depths left open. Faces have numbers of the mesh.
std::vector<MeshShell> MeasureShells(const TriangleMesh& mesh, const MeshTopology& topology);

/// Whether a shell's volume has the wrong sign for its depth.
bool IsInsideOut(const MeshShell& shell);

/// Summed about a point near the mesh, which is the centroid of an empty volume.
MeshMass MassWithin(const TriangleMesh& mesh, const Eigen::Vector3d& center);

}  // namespace volcontact
