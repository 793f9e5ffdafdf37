#include "solids/mesh/mesh_edges.h"

#include <algorithm>
#include <tuple>

namespace volcontact {

std::vector<MeshEdge> SortedEdges(const TriangleMesh& mesh) {
  // Buckets by the lower vertex are as small as the valence.
  std::vector<std::size_t> start(mesh.vertices.size() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      for (int c = 0; c < 3; ++c) {
        const int a = mesh.faces[f][c], b = mesh.faces[f][(c + 1) % 3];
        visit(MeshEdge{std::min(a, b), std::max(a, b), a < b, static_cast<int>(f), c});
      }
    }
  };
  for_each([&](const MeshEdge& edge) { ++start[edge.low + 1]; });
  for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];
  std::vector<MeshEdge> edges(3 * mesh.faces.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for_each([&](const MeshEdge& edge) { edges[next[edge.low]++] = edge; });
  const auto before = [](const MeshEdge& a, const MeshEdge& b) {
    return std::tuple(a.high, !a.forward, a.face, a.corner) <
           std::tuple(b.high, !b.forward, b.face, b.corner);
  };
  for (std::size_t v = 0; v + 1 < start.size(); ++v) {
    std::sort(edges.begin() + static_cast<std::ptrdiff_t>(start[v]),
              edges.begin() + static_cast<std::ptrdiff_t>(start[v + 1]), before);
  }
  return edges;
}

}  // namespace volcontact
