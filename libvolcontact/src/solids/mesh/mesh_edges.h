// The edges of a triangle mesh.
#pragma once

#include <vector>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// A directed edge of a face, from its vertex `corner` to the next.
struct MeshEdge {
  int low, high;  ///< its vertices, low < high (equal in a degenerate face)
  bool forward;   ///< from low to high
  int face, corner;
};

/// All directed edges, those of equal vertices next to each other, ordered by (low, high, forward
/// first, face). Indices must be in range. Time in proportion to the mesh.
std::vector<MeshEdge> SortedEdges(const TriangleMesh& mesh);

/// Calls visit(first, last) for each range of edges with the same vertices.
template <class Visit>
void ForEachEdgeGroup(const std::vector<MeshEdge>& edges, const Visit& visit) {
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t j = i;
    while (j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high) ++j;
    visit(edges.data() + i, edges.data() + j);
    i = j;
  }
}

}  // namespace volcontact
