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
  /// For a mesh that stands for another solid: a distance [m] for each face. Wherever the solid and
  /// the mesh differ, some face is within its distance. Empty if the mesh itself is meant. Queries
  /// then give volumes of that solid: bounds and errors include what the deviations leave open, and
  /// an overlap thinner than the deviations does not converge.
  std::vector<double> deviations = {};
};

/// The solid bounded by a closed, consistently oriented mesh: every edge has equal numbers of faces
/// in both directions. Several shells are allowed, also one inside another; the faces of a cavity
/// look inward. The surface must not cross itself. That is not tested here, but by CheckMesh.
/// Builds the search tree: about 0.4 µs for each triangle, with at most `threads` >= 1 threads. The
/// solid does not depend on their number, to the last bit. Throws InvalidInput that names the face
/// for an index out of range, a vertex that is not finite or beyond 1e30 m, an edge without
/// partner, a mesh without faces, deviations other than one finite number of at least 0 for each
/// face, or no threads.
VOLCONTACT_EXPORT Solid Mesh(const TriangleMesh& mesh, int threads = 1);

VOLCONTACT_NAMESPACE_END
