// Vertices that are nearly one.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// The vertices at open edges, in ascending order. Faces must have three different vertices, in
/// range.
std::vector<int> OpenVertices(const TriangleMesh& mesh);

/// Which vertex stands for each.
struct Welding {
  std::vector<int> first;  ///< of each vertex of the mesh; itself where it stays
  std::size_t joined = 0;  ///< vertices that are another's now
  double farthest = 0.0;   ///< the greatest move [m]
};

/// Joins those of the candidates that are connected by distances of at most `distance` [m], to the
/// lowest number among them. Cost: sorting.
Welding WeldVertices(const std::vector<Eigen::Vector3d>& vertices,
                     const std::vector<int>& candidates, double distance);

}  // namespace volcontact
