// Nodes of a mesh's tree all of whose faces look to one side of a plane.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Whether all faces of a node certainly look along a direction, or all against it.
inline bool HasOneSide(const NodeSums& sums, const Eigen::Vector3d& n_M) {
  const Eigen::Vector3d axis(sums.cone_axis[0], sums.cone_axis[1], sums.cone_axis[2]);
  const double sine = std::sqrt(std::max(0.0, 1.0 - sums.cone_cosine * sums.cone_cosine));
  return sums.cone_cosine > 0.0f && std::abs(axis.dot(n_M)) > sine + 1e-5;
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
    const bool has_one_side = !node.IsLeaf() && HasOneSide(tree.sums(node), n_M);
    if (node.IsLeaf() || has_one_side) {
      if (!take(node, has_one_side)) return false;
    } else {
      stack->push_back(node.right);
      stack->push_back(i + 1);
    }
  }
  return true;
}

}  // namespace volcontact
