// The data of one mesh in a query on two meshes.
#pragma once

#include <Eigen/Core>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "solids/exact/mesh_predicates.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Scratch memory about one mesh, kept from query to query. A stamp separates what earlier queries
/// stored, so that starting costs nothing in proportion to the mesh.
class MeshSide {
 public:
  /// Begins a query: mesh frame M has pose X_AM in A (null: M is A); `moves` for solid B.
  void Start(const MeshTree& tree, const Rigid* X_AM, bool moves);

  /// Puts the origin of local coordinates at O (in A); points already asked for are moved.
  void SetOrigin(const Eigen::Vector3d& O);

  /// The origin of local coordinates, in A.
  const Eigen::Vector3d& origin() const { return origin_; }

  const MeshTree& tree() const { return *tree_; }
  const Rigid* X_AM() const { return X_AM_; }
  const Eigen::Matrix3d& R_AM() const { return R_AM_; }
  bool moves() const { return moves_; }

  /// Coordinates c − O of a point of frame M, rounded once, in frame M.
  Eigen::Vector3d FromOrigin(const Eigen::Vector3d& p_M) const { return (p_M - O_M_) + rest_M_; }

  /// A vertex's point, which gets no number by that.
  MeshPoint PointOf(std::uint32_t vertex) const {
    const Eigen::Vector3d& p_M = tree_->vertices()[vertex];
    return {LocalOf(p_M), p_M, X_AM_, moves_};
  }

  /// The number of a vertex among those asked for, and the point of such a number.
  std::uint32_t SlotOf(std::uint32_t vertex) {
    return vertex_stamp_[vertex] == stamp_ ? vertex_slot_[vertex] : NewSlot(vertex);
  }
  const MeshPoint& point(std::uint32_t slot) const { return points_[slot]; }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(points_.size()); }
  std::array<std::uint32_t, 3> SlotsOf(std::uint32_t face) {
    const MeshTree::Face& v = tree_->faces()[face];
    return {SlotOf(v[0]), SlotOf(v[1]), SlotOf(v[2])};
  }
  /// The slot of a vertex, or kNone when it was not asked for.
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t FindSlot(std::uint32_t vertex) const {
    return vertex_stamp_[vertex] == stamp_ ? vertex_slot_[vertex] : kNone;
  }

  /// Marks of nodes: `split` when a query had to look at its children one by one. Threads may mark
  /// at the same time.
  bool IsSplit(std::uint32_t node) const { return node_stamp_[node] == stamp_; }
  void MarkSplit(std::uint32_t node) {
    std::atomic_ref(node_stamp_[node]).store(stamp_, std::memory_order_relaxed);
  }

  /// Marks of faces that cross the other mesh.
  bool IsCrossed(std::uint32_t face) const { return face_stamp_[face] == stamp_; }
  void MarkCrossed(std::uint32_t face) { face_stamp_[face] = stamp_; }

  /// Leaves whose box met a box of the other mesh, each once, in the order found.
  const std::vector<std::uint32_t>& touched_leaves() const { return touched_; }
  /// Marks a leaf; returns its number among the touched ones.
  std::uint32_t Touch(std::uint32_t leaf) {
    if (!IsSplit(leaf)) {
      leaf_number_[leaf] = static_cast<std::uint32_t>(touched_.size());
      touched_.push_back(leaf);
    }
    MarkSplit(leaf);
    return leaf_number_[leaf];
  }

  /// What the local coordinates' rounding is relative to, besides their own size.
  double rounding_scale() const { return rounding_scale_; }
  /// A bound of the coordinates that exact points are made of.
  double exact_size() const { return exact_size_; }

 private:
  std::uint32_t NewSlot(std::uint32_t vertex);
  Eigen::Vector3d LocalOf(const Eigen::Vector3d& p_M) const {
    const Eigen::Vector3d r = FromOrigin(p_M);
    return X_AM_ == nullptr ? r : Eigen::Vector3d(R_AM_ * r);
  }

  const MeshTree* tree_ = nullptr;
  const Rigid* X_AM_ = nullptr;
  Eigen::Matrix3d R_AM_ = Eigen::Matrix3d::Identity();
  bool moves_ = false;
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d O_M_ = Eigen::Vector3d::Zero();     // O in M, rounded
  Eigen::Vector3d rest_M_ = Eigen::Vector3d::Zero();  // what that rounding left
  double rounding_scale_ = 0.0, exact_size_ = 0.0;
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> vertex_stamp_, vertex_slot_, node_stamp_, leaf_number_, face_stamp_;
  std::vector<MeshPoint> points_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace volcontact
