#include "solids/mesh_repair/vertex_welding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "solids/mesh_check/disjoint_sets.h"
#include "solids/mesh_check/mesh_filter.h"
#include "solids/mesh_check/mesh_topology.h"
#include "volcontact/solids/mesh_repair.h"

namespace volcontact {
namespace {

// A gap so small against the open edges beside it is no hole.
constexpr double kTinyGap = 0.05;
// And so small against the part.
constexpr double kTinyAgainstPart = 1e-3;

using Order = std::vector<int>;

// The candidates by x: neighbours within a distance are found by looking ahead.
Order ByX(const std::vector<Eigen::Vector3d>& vertices, Order candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [&](int a, int b) { return vertices[a].x() < vertices[b].x(); });
  return candidates;
}

double NextAbove(double x) {
  const double digit = std::pow(10.0, std::floor(std::log10(x)));
  return digit * std::ceil(x / digit * (1.0 + 1e-9));
}

// The shortest open edge at each vertex; infinite elsewhere.
std::vector<double> ShortestOpenEdges(const TriangleMesh& mesh) {
  std::vector<double> shortest(mesh.vertices.size(), std::numeric_limits<double>::infinity());
  for (const MeshEdge& edge : AnalyzeTopology(mesh).boundary) {
    const auto& face = mesh.faces[edge.face];
    const int a = face[edge.corner], b = face[(edge.corner + 1) % 3];
    const double length = (mesh.vertices[a] - mesh.vertices[b]).norm();
    for (const int v : {a, b}) shortest[v] = std::min(shortest[v], length);
  }
  return shortest;
}

double ExtentOf(const std::vector<Eigen::Vector3d>& vertices) {
  Eigen::Vector3d low = vertices.front(), high = low;
  for (const Eigen::Vector3d& v : vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  return (high - low).norm();
}

}  // namespace

std::vector<int> OpenVertices(const TriangleMesh& mesh) {
  std::vector<int> open;
  for (const MeshEdge& edge : AnalyzeTopology(mesh).boundary) {
    const auto& face = mesh.faces[edge.face];
    open.push_back(face[edge.corner]);
    open.push_back(face[(edge.corner + 1) % 3]);
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return open;
}

Welding WeldVertices(const std::vector<Eigen::Vector3d>& vertices,
                     const std::vector<int>& candidates, double distance) {
  DisjointSets sets(static_cast<int>(vertices.size()));
  const Order order = ByX(vertices, candidates);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Eigen::Vector3d& p = vertices[order[i]];
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      const Eigen::Vector3d& q = vertices[order[k]];
      if (q.x() - p.x() > distance) break;
      if ((q - p).norm() <= distance) sets.Join(order[i], order[k]);
    }
  }
  Welding welding;
  welding.first.resize(vertices.size());
  for (int v = 0; v < static_cast<int>(vertices.size()); ++v) {
    const int first = welding.first[v] = sets.Find(v);
    if (first == v) continue;
    ++welding.joined;
    welding.farthest = std::max(welding.farthest, (vertices[v] - vertices[first]).norm());
  }
  return welding;
}

}  // namespace volcontact

VOLCONTACT_NAMESPACE_BEGIN

std::optional<WeldProposal> ProposeWelding(const TriangleMesh& mesh) {
  RequireFewFaces(mesh);
  const TriangleMesh sound = SearchableFaces(mesh).mesh;
  if (sound.faces.empty()) return std::nullopt;
  const std::vector<double> edges = ShortestOpenEdges(sound);
  const Order order = ByX(sound.vertices, OpenVertices(sound));
  const double most = kTinyAgainstPart * ExtentOf(sound.vertices);
  double gap = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Eigen::Vector3d& p = sound.vertices[order[i]];
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      const Eigen::Vector3d& q = sound.vertices[order[k]];
      if (q.x() - p.x() > most) break;
      const double d = (q - p).norm();
      const double edge = std::min(edges[order[i]], edges[order[k]]);
      if (d <= most && d <= kTinyGap * edge) gap = std::max(gap, d);
    }
  }
  if (!(gap > 0.0)) return std::nullopt;
  WeldProposal proposal;
  proposal.distance = NextAbove(gap);
  proposal.open_edges = AnalyzeTopology(sound).boundary.size();
  const Welding welding = WeldVertices(sound.vertices, order, proposal.distance);
  TriangleMesh welded = sound;
  for (auto& face : welded.faces) {
    for (int& v : face) v = welding.first[v];
  }
  proposal.open_edges_left = AnalyzeTopology(SoundFaces(welded).mesh).boundary.size();
  if (proposal.open_edges_left >= proposal.open_edges) return std::nullopt;
  return proposal;
}

VOLCONTACT_NAMESPACE_END
