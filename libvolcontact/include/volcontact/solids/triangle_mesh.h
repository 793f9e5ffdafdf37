// Closed triangle meshes as solids.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Triangles that index shared vertices [m]. Seen from outside, a face's vertices run
/// counterclockwise. A plain value that owns its lists: any number of threads may read one.
struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> faces;
  /// Of a mesh that stands for another solid, for each face a distance [m]: wherever the solid and
  /// the mesh differ, some face is not farther than its own. Empty where the mesh is meant as it
  /// is. Queries state volumes of that solid then: bounds and errors allow for what the deviations
  /// leave open, and an answer that is thinner than they are has not converged.
  std::vector<double> deviations = {};
};

/// The solid bounded by a closed, consistently oriented mesh: every edge belongs to as many faces
/// in one direction as in the other. Several shells are allowed, one inside the other (a cavity
/// has its faces turned inward). The surface must not cross itself, which is not tested here:
/// CheckMesh does. Builds the search tree: about 0.4 µs a triangle, by `threads` >= 1 threads at
/// most; the solid does not depend on their number, to the last bit.
/// Throws InvalidInput that names the face for an index out of range, a vertex that is not finite
/// or beyond 1e30 m, an edge without partner, a mesh without faces, deviations that are not one
/// finite number of at least 0 for each face, or no threads.
VOLCONTACT_EXPORT Solid Mesh(const TriangleMesh& mesh, int threads = 1);

VOLCONTACT_NAMESPACE_END
