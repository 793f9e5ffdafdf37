#include "solids/mesh_check/mesh_filter.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "solids/exact/exact_orientation.h"
#include "solids/mesh_check/mesh_topology.h"
#include "volcontact/math/error.h"

namespace volcontact {

void RequireFewFaces(const TriangleMesh& mesh) {
  if (mesh.faces.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max() / 4)) return;
  throw InvalidInput(fmt::format("mesh: {} faces are too many; split it", mesh.faces.size()));
}

bool IsUsable(const Eigen::Vector3d& vertex) {
  return vertex.allFinite() && vertex.cwiseAbs().maxCoeff() <= kFarthestVertex;
}

FaceState StateOf(const TriangleMesh& mesh, const std::array<int, 3>& face) {
  for (const int v : face) {
    if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size()) return FaceState::kBadIndex;
  }
  for (const int v : face) {
    if (!IsUsable(mesh.vertices[v])) return FaceState::kBadVertex;
  }
  const auto& [p, q, r] = face;
  return p == q || q == r || r == p ? FaceState::kRepeatedVertex : FaceState::kSound;
}

bool HasNoArea(const TriangleMesh& mesh, const std::array<int, 3>& face) {
  return AxisOfArea(mesh.vertices[face[0]], mesh.vertices[face[1]], mesh.vertices[face[2]]) < 0;
}

MeshPart SoundFaces(const TriangleMesh& mesh) {
  MeshPart part;
  part.mesh.vertices = mesh.vertices;
  part.mesh.faces.reserve(mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    if (StateOf(mesh, mesh.faces[f]) != FaceState::kSound) continue;
    part.mesh.faces.push_back(mesh.faces[f]);
    part.originals.push_back(static_cast<int>(f));
  }
  return part;
}

MeshPart SearchableFaces(const TriangleMesh& mesh) {
  const std::vector<int> first = FirstEqualVertices(mesh.vertices);
  TriangleMesh joined = mesh;
  for (auto& face : joined.faces) {
    for (int& v : face) v = first[v];
  }
  std::vector<bool> repeated(mesh.faces.size(), false);
  ForEachDuplicate(SortedFaces(joined), [&](const FaceKey* begin, const FaceKey* end) {
    for (const FaceKey* key = begin + 1; key != end; ++key) repeated[key->face] = true;
  });
  MeshPart part;
  part.mesh.faces.reserve(mesh.faces.size());
  for (std::size_t f = 0; f < joined.faces.size(); ++f) {
    if (repeated[f] || HasNoArea(joined, joined.faces[f])) continue;
    part.mesh.faces.push_back(joined.faces[f]);
    part.originals.push_back(static_cast<int>(f));
  }
  part.mesh.vertices = std::move(joined.vertices);
  return part;
}

}  // namespace volcontact
