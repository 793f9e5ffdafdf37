#include "solids/mesh_repair/sliver_removal.h"

#include <algorithm>
#include <tuple>

#include "solids/mesh/mesh_edges.h"
#include "solids/mesh_check/mesh_filter.h"

namespace volcontact {
namespace {

// Long rows of slivers dissolve one after another.
constexpr int kMostPasses = 64;

// The corner that lies between the others, all three in one line.
int MiddleCorner(const TriangleMesh& mesh, const std::array<int, 3>& face) {
  std::array<int, 3> corners = {0, 1, 2};
  std::sort(corners.begin(), corners.end(), [&](int i, int j) {
    const Eigen::Vector3d &p = mesh.vertices[face[i]], &q = mesh.vertices[face[j]];
    return std::tie(p.x(), p.y(), p.z()) < std::tie(q.x(), q.y(), q.z());
  });
  return corners[1];
}

// Whether the sliver at `edge` was dissolved into `other`, the face across its longest edge.
bool Dissolve(const MeshEdge& edge, const MeshEdge& other, TriangleMesh* mesh) {
  auto &sliver = mesh->faces[edge.face], &neighbour = mesh->faces[other.face];
  const int from = sliver[edge.corner], to = sliver[(edge.corner + 1) % 3];
  const int middle = sliver[(edge.corner + 2) % 3], apex = neighbour[(other.corner + 2) % 3];
  if (edge.forward == other.forward || middle == apex) return false;
  if (HasNoArea(*mesh, neighbour)) return false;
  sliver = {middle, from, apex};
  neighbour = {apex, to, middle};
  return true;
}

std::vector<int> Pass(TriangleMesh* mesh) {
  std::vector<int> long_edge(mesh->faces.size(), -1);  // the corner where it starts
  bool any = false;
  for (std::size_t f = 0; f < mesh->faces.size(); ++f) {
    if (!HasNoArea(*mesh, mesh->faces[f])) continue;
    long_edge[f] = (MiddleCorner(*mesh, mesh->faces[f]) + 1) % 3;
    any = true;
  }
  std::vector<int> dissolved;
  if (!any) return dissolved;
  std::vector<bool> changed(mesh->faces.size(), false);
  ForEachEdgeGroup(SortedEdges(*mesh), [&](const MeshEdge* first, const MeshEdge* last) {
    if (last - first != 2 || changed[first[0].face] || changed[first[1].face]) return;
    for (int i = 0; i < 2; ++i) {
      const MeshEdge &edge = first[i], &other = first[1 - i];
      if (long_edge[edge.face] != edge.corner || !Dissolve(edge, other, mesh)) continue;
      changed[edge.face] = changed[other.face] = true;
      return dissolved.push_back(edge.face);
    }
  });
  return dissolved;
}

}  // namespace

std::vector<int> DissolveSlivers(TriangleMesh* mesh) {
  std::vector<int> all;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const std::vector<int> dissolved = Pass(mesh);
    if (dissolved.empty()) break;
    all.insert(all.end(), dissolved.begin(), dissolved.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace volcontact
