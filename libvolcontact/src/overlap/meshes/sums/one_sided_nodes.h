// Nodes of a mesh's tree all of whose faces look to one side of a plane.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Whether all normals in a cone about a node's axis certainly look along a direction, or all
/// against it.
inline bool HasOneSide(const NodeSums& sums, float cone_cosine, const Eigen::Vector3d& n_M) {
  const Eigen::Vector3d axis(sums.cone_axis[0], sums.cone_axis[1], sums.cone_axis[2]);
  const double sine = std::sqrt(std::max(0.0, 1.0 - cone_cosine * cone_cosine));
  return cone_cosine > 0.0f && std::abs(axis.dot(n_M)) > sine + 1e-5;
}

/// Whether a face with a normal of any length looks along a direction, by more than a billionth of
/// a right angle.
inline bool LooksAlong(const Eigen::Vector3d& normal, const Eigen::Vector3d& n) {
  constexpr double kLeastSine = 1e-9;
  return normal.dot(n) > kLeastSine * normal.norm();
}
inline bool LooksAlong(const MeshTree& tree, std::uint32_t face, const Eigen::Vector3d& n_M) {
  const auto& [i, j, k] = tree.faces()[face];
  const Eigen::Vector3d& p = tree.vertices()[i];
  return LooksAlong((tree.vertices()[j] - p).cross(tree.vertices()[k] - p), n_M);
}

/// Adds the segment in which two faces cross if one of them looks along the direction and the other
/// does not. It runs from p to q if the first one does.
inline void AddCrossing(const Eigen::Vector3d& p, const Eigen::Vector3d& q, bool first_looks_along,
                        bool second_looks_along,
                        std::vector<std::array<Eigen::Vector3d, 2>>* contour) {
  if (first_looks_along == second_looks_along) return;
  contour->push_back(first_looks_along ? std::array{p, q} : std::array{q, p});
}

/// Goes through what is below the nodes on a stack, which it empties, by the largest nodes that
/// have one side and by leaves: take(node, has_one_side), as long as that says to go on.
template <class Take>
bool WalkBySides(const MeshTree& tree, const Eigen::Vector3d& n_M,
                 std::vector<std::uint32_t>* stack, const Take& take) {
  while (!stack->empty()) {
    const std::uint32_t i = stack->back();
    stack->pop_back();
    const MeshNode& node = tree.nodes()[i];
    const bool has_one_side =
        !node.IsLeaf() && HasOneSide(tree.sums(node), tree.sums(node).cone_cosine, n_M);
    if (node.IsLeaf() || has_one_side) {
      if (!take(node, has_one_side)) return false;
    } else {
      stack->push_back(node.right);
      stack->push_back(i + 1);
    }
  }
  return true;
}

/// Calls take(face, edge) for the edges of a face at which it looks along a direction and the one
/// beside it does not.
template <class Take>
void ForContourOf(const MeshTree& tree, std::uint32_t face, const Eigen::Vector3d& n_M,
                  const Take& take) {
  if (!LooksAlong(tree, face, n_M)) return;
  for (int e = 0; e < 3; ++e) {
    if (!LooksAlong(tree, tree.neighbors().beside[face][e], n_M)) take(face, e);
  }
}

/// The same for all faces below the nodes on a stack, which it empties. Passes by nodes without
/// such edges: some 0.3 µs for an edge, however many faces there are.
template <class Take>
void ForContour(const MeshTree& tree, const Eigen::Vector3d& n_M, std::vector<std::uint32_t>* stack,
                const Take& take) {
  const MeshNeighbors& neighbors = tree.neighbors();
  while (!stack->empty()) {
    const std::uint32_t i = stack->back();
    stack->pop_back();
    const MeshNode& node = tree.nodes()[i];
    if (node.IsLeaf()) {
      for (std::uint32_t f = node.begin; f < node.end; ++f) ForContourOf(tree, f, n_M, take);
    } else if (!HasOneSide(tree.sums(node), neighbors.cone_cosine[node.sums], n_M)) {
      stack->push_back(node.right);
      stack->push_back(i + 1);
    }
  }
}

}  // namespace volcontact
