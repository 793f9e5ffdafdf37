#include "solids/mesh/mesh_deviation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "solids/mesh/mesh_edges.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr double kPi = std::numbers::pi;

// Twice the area of a face along its normal.
Eigen::Vector3d AreaVector(const TriangleMesh& mesh, const std::array<int, 3>& face) {
  const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  return (at(face[1]) - at(face[0])).cross(at(face[2]) - at(face[0]));
}

// What lies about edges and vertices, by face of the mesh.
class Rims {
 public:
  explicit Rims(const TriangleMesh& mesh) : mesh_(mesh), volumes_(mesh.faces.size()) {
    ForEachEdgeGroup(SortedEdges(mesh),
                     [this](const MeshEdge* first, const MeshEdge* last) { AddEdge(first, last); });
    AddVertices();
  }

  double volume(std::size_t face) const { return volumes_[face]; }

 private:
  double DeviationOf(int face) const { return mesh_.deviations[static_cast<std::size_t>(face)]; }

  double AngleBetween(int a, int b) const {
    const Eigen::Vector3d m = AreaVector(mesh_, mesh_.faces[static_cast<std::size_t>(a)]);
    const Eigen::Vector3d n = AreaVector(mesh_, mesh_.faces[static_cast<std::size_t>(b)]);
    return m.isZero(0.0) || n.isZero(0.0) ? kPi : std::atan2(m.cross(n).norm(), m.dot(n));
  }

  void AddEdge(const MeshEdge* first, const MeshEdge* last) {
    const MeshEdge* most = std::max_element(first, last, [this](const auto& a, const auto& b) {
      return DeviationOf(a.face) < DeviationOf(b.face);
    });
    const double d = DeviationOf(most->face);
    if (!(d > 0.0)) return;
    const bool alike =
        last - first == 2 && DeviationOf(first[0].face) == d && DeviationOf(first[1].face) == d;
    const double angle = alike ? AngleBetween(first[0].face, first[1].face) : kPi;
    const double length = (mesh_.vertices[static_cast<std::size_t>(first->high)] -
                           mesh_.vertices[static_cast<std::size_t>(first->low)])
                              .norm();
    volumes_[static_cast<std::size_t>(most->face)] += 0.5 * angle * d * d * length;
  }

  void AddVertices() {
    std::vector<int> most(mesh_.vertices.size(), -1);
    for (int f = 0; f < static_cast<int>(mesh_.faces.size()); ++f) {
      for (const int v : mesh_.faces[static_cast<std::size_t>(f)]) {
        int& face = most[static_cast<std::size_t>(v)];
        if (face < 0 || DeviationOf(face) < DeviationOf(f)) face = f;
      }
    }
    for (const int face : most) {
      if (face < 0) continue;
      const double d = DeviationOf(face);
      volumes_[static_cast<std::size_t>(face)] += 4.0 / 3.0 * kPi * d * d * d;
    }
  }

  const TriangleMesh& mesh_;
  std::vector<double> volumes_;
};

}  // namespace

MeshDeviation::MeshDeviation(const TriangleMesh& mesh, const MeshTree& tree)
    : faces_(tree.faces().size()), nodes_(tree.nodes().size()) {
  const Rims rims(mesh);
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    faces_[f] = {mesh.deviations[tree.original(f)], rims.volume(tree.original(f))};
  }
  // Children follow their parents.
  for (std::uint32_t k = static_cast<std::uint32_t>(nodes_.size()); k-- > 0;) {
    const MeshNode& node = tree.nodes()[k];
    if (!node.IsLeaf()) {
      const Entry &left = nodes_[k + 1], &right = nodes_[node.right];
      nodes_[k] = {std::max(left.deviation, right.deviation), left.volume + right.volume};
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const double area = 0.5 * AreaVector(mesh, mesh.faces[tree.original(f)]).norm();
      nodes_[k].deviation = std::max(nodes_[k].deviation, of(f));
      nodes_[k].volume += area * of(f) + around(f);
    }
  }
}

VOLCONTACT_NAMESPACE_END
