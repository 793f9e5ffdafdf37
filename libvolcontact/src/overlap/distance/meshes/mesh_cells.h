// The surface of a mesh as a tree of cells for a pair search (pair_search.h).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Nodes of the mesh's tree, then its faces, then halves of these, cut across the longest edge.
class MeshCells {
 public:
  /// The mesh with the pose X_CM in the common frame.
  MeshCells(const MeshTree& mesh, const Rigid& X_CM);

  std::optional<int> root() const { return 0; }
  const std::vector<int>& Children(int index, double allowed);
  const Eigen::Vector3d& Center(int index) const { return cells_[index].center; }
  /// Around what is in a cell, in the common frame.
  Aabb BoxOf(int index) const {
    const Cell& cell = cells_[index];
    const Eigen::Vector3d reach = cell.is_face ? cell.half : R_.cwiseAbs() * cell.half;
    return {cell.center - reach, cell.center + reach};
  }
  double Size(int index) const { return cells_[index].half.squaredNorm(); }
  /// 0 for a face; a node does not know where in its box its faces are.
  double Bend(int index) const { return cells_[index].is_face ? 0.0 : cells_[index].half.norm(); }
  double Support(int index, const Eigen::Vector3d& u) const;
  Eigen::Vector3d Nearest(int index, const Eigen::Vector3d& p) const;
  /// A point of a face; of a node one of its vertices.
  std::optional<Eigen::Vector3d> Pull(int index, const Eigen::Vector3d& p) const;
  template <class Visit>
  void VisitNormals(int index, const Visit& visit) const {
    const Cell& cell = cells_[index];
    if (!cell.is_face) return;
    visit(cell.normal);
    visit(-cell.normal);
  }

 private:
  using Triangle = std::array<Eigen::Vector3d, 3>;
  struct Cell {
    Eigen::Vector3d center;
    Eigen::Vector3d half;  // of a node's box along the mesh's axes; of a face's along the frame's
    bool is_face = false;
    std::uint32_t node = 0;
    Triangle corners = {};  // of a face, or a part of it, from the centre
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    std::optional<std::vector<int>> children = {};
  };

  int AddNode(std::uint32_t node);
  int AddFace(const Triangle& corners);

  const MeshTree& mesh_;
  Eigen::Matrix3d R_;
  Eigen::Vector3d t_;
  std::vector<Cell> cells_;
};

}  // namespace volcontact
