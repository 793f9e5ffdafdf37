#include "solids/mesh/mesh_neighbors.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "solids/mesh/mesh_edges.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Rounding of the cones' arithmetic.
constexpr double kRoundingOfCone = 1e-6;

std::vector<std::array<std::uint32_t, 3>> FindNeighbors(const MeshTree& tree) {
  TriangleMesh mesh;
  mesh.vertices = tree.vertices();
  std::vector<std::array<std::uint32_t, 3>> beside;
  for (const auto& [a, b, c] : tree.faces()) {
    const auto face = static_cast<std::uint32_t>(beside.size());
    beside.push_back({face, face, face});
    mesh.faces.push_back({static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)});
  }
  ForEachEdgeGroup(SortedEdges(mesh), [&](const MeshEdge* first, const MeshEdge* last) {
    const MeshEdge* back = std::find_if(first, last, [](const MeshEdge& e) { return !e.forward; });
    for (; first->forward && back != last; ++first, ++back) {
      beside[first->face][first->corner] = static_cast<std::uint32_t>(back->face);
      beside[back->face][back->corner] = static_cast<std::uint32_t>(first->face);
    }
  });
  return beside;
}

Vector3d UnitNormal(const MeshTree& tree, std::uint32_t face) {
  const auto& [i, j, k] = tree.faces()[face];
  const Vector3d& p = tree.vertices()[i];
  return (tree.vertices()[j] - p).cross(tree.vertices()[k] - p).normalized();
}

Vector3d AxisOf(const NodeSums& sums) {
  return Vector3d(sums.cone_axis[0], sums.cone_axis[1], sums.cone_axis[2]).normalized();
}

// The largest angle to an axis of the normals of a leaf's faces and of those beside them.
double ReachOfLeaf(const MeshTree& tree, const MeshNeighbors& neighbors, const MeshNode& leaf,
                   const Vector3d& axis) {
  double least = 1.0;
  const auto include = [&](std::uint32_t face) {
    const Vector3d normal = UnitNormal(tree, face);
    least = std::min(least, normal.isZero() ? -1.0 : axis.dot(normal));
  };
  for (std::uint32_t f = leaf.begin; f < leaf.end; ++f) {
    include(f);
    for (const std::uint32_t g : neighbors.beside[f]) include(g);
  }
  return std::acos(std::max(-1.0, least));
}

}  // namespace

MeshNeighbors::MeshNeighbors(const MeshTree& tree) : beside(FindNeighbors(tree)) {
  const std::vector<MeshNode>& nodes = tree.nodes();
  cone_cosine.resize(nodes.size() / 2);
  const auto reach = [&](std::uint32_t child, const Vector3d& axis) {
    const MeshNode& node = nodes[child];
    if (node.IsLeaf()) return ReachOfLeaf(tree, *this, node, axis);
    const double cosine = std::clamp(axis.dot(AxisOf(tree.sums(node))), -1.0, 1.0);
    return std::acos(cosine) + std::acos(static_cast<double>(cone_cosine[node.sums]));
  };
  for (auto number = static_cast<std::uint32_t>(nodes.size()); number-- > 0;) {
    const MeshNode& node = nodes[number];
    if (node.IsLeaf()) continue;
    const Vector3d axis = AxisOf(tree.sums(node));
    const double angle = std::max(reach(number + 1, axis), reach(node.right, axis));
    const bool has_cone = angle < 0.5 * std::numbers::pi;
    const double cosine = has_cone ? std::cos(angle) - kRoundingOfCone : -1.0;
    cone_cosine[node.sums] = static_cast<float>(cosine);
  }
}

}  // namespace volcontact
