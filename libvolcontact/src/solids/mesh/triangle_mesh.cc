#include "volcontact/solids/triangle_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "solids/mesh/mesh_deviation.h"
#include "solids/mesh/mesh_edges.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr double kFarthest = 1e30;

void RequireVertices(const TriangleMesh& mesh) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Eigen::Vector3d& p = mesh.vertices[v];
    if (p.allFinite() && p.cwiseAbs().maxCoeff() <= kFarthest) continue;
    throw InvalidInput(
        fmt::format("mesh: vertex {} is ({}, {}, {}); coordinates must be finite and within "
                    "1e30 m",
                    v, p.x(), p.y(), p.z()));
  }
}

void RequireFaces(const TriangleMesh& mesh) {
  if (mesh.faces.empty()) {
    throw InvalidInput("mesh: there are no faces; a solid needs a closed surface");
  }
  if (mesh.faces.size() > static_cast<std::size_t>(std::numeric_limits<int>::max() / 4)) {
    throw InvalidInput(fmt::format("mesh: {} faces are too many; split it", mesh.faces.size()));
  }
  const auto count = static_cast<long>(mesh.vertices.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (const int v : mesh.faces[f]) {
      if (v >= 0 && v < count) continue;
      throw InvalidInput(
          fmt::format("mesh: face {} names vertex {}; there are {} vertices, "
                      "numbered from 0",
                      f, v, count));
    }
  }
}

void RequireClosed(const TriangleMesh& mesh) {
  ForEachEdgeGroup(SortedEdges(mesh), [](const MeshEdge* first, const MeshEdge* last) {
    if (first->low == first->high) return;
    long balance = 0;
    for (const MeshEdge* edge = first; edge != last; ++edge) balance += edge->forward ? 1 : -1;
    if (balance == 0) return;
    if (last - first == 1) {
      throw InvalidInput(
          fmt::format("mesh: the edge between vertices {} and {} of face {} has no other face; "
                      "close the mesh (volcontact check --repair fills small holes)",
                      first->low, first->high, first->face));
    }
    throw InvalidInput(
        fmt::format("mesh: at the edge between vertices {} and {}, face {} is oriented against its "
                    "neighbour {}; turn it (volcontact check --repair does)",
                    first->low, first->high, first[0].face, first[1].face));
  });
}

void RequireDeviations(const TriangleMesh& mesh) {
  if (!mesh.deviations.empty() && mesh.deviations.size() != mesh.faces.size()) {
    throw InvalidInput(fmt::format("mesh: {} deviations for {} faces; give one for each, or none",
                                   mesh.deviations.size(), mesh.faces.size()));
  }
  for (std::size_t f = 0; f < mesh.deviations.size(); ++f) {
    const double d = mesh.deviations[f];
    if (d >= 0.0 && d <= kFarthest) continue;
    throw InvalidInput(fmt::format(
        "mesh: the deviation of face {} is {}; it must be a distance from 0 to 1e30 m", f, d));
  }
}

}  // namespace

Solid Mesh(const TriangleMesh& mesh, int threads) {
  if (threads < 1) {
    throw InvalidInput(fmt::format("mesh: threads is {}; it must be at least 1", threads));
  }
  RequireVertices(mesh);
  RequireFaces(mesh);
  RequireClosed(mesh);
  RequireDeviations(mesh);
  MeshShape shape{std::make_shared<const MeshTree>(mesh, threads)};
  const auto deviates = [](double deviation) { return deviation > 0.0; };
  if (std::any_of(mesh.deviations.begin(), mesh.deviations.end(), deviates)) {
    shape.deviation = std::make_shared<const MeshDeviation>(mesh, *shape.mesh);
  }
  return Solid(std::make_shared<const SolidNode>(SolidNode{shape, {}}));
}

VOLCONTACT_NAMESPACE_END
