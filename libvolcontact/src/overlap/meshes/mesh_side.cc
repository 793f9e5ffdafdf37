#include "overlap/meshes/mesh_side.h"

#include <algorithm>

namespace volcontact {

void MeshSide::Start(const MeshTree& tree, const Rigid* X_AM, bool moves) {
  tree_ = &tree;
  X_AM_ = X_AM;
  R_AM_ = X_AM == nullptr ? Eigen::Matrix3d::Identity() : X_AM->RotationDouble();
  moves_ = moves;
  if (vertex_stamp_.size() < tree.vertices().size()) {
    vertex_stamp_.resize(tree.vertices().size(), stamp_);
    vertex_slot_.resize(tree.vertices().size());
  }
  if (node_stamp_.size() < tree.nodes().size()) {
    node_stamp_.resize(tree.nodes().size(), stamp_);
    leaf_number_.resize(tree.nodes().size());
  }
  if (face_stamp_.size() < tree.faces().size()) face_stamp_.resize(tree.faces().size(), stamp_);
  if (++stamp_ == 0) {
    std::fill(vertex_stamp_.begin(), vertex_stamp_.end(), 0u);
    std::fill(node_stamp_.begin(), node_stamp_.end(), 0u);
    std::fill(face_stamp_.begin(), face_stamp_.end(), 0u);
    stamp_ = 1;
  }
  points_.clear();
  touched_.clear();
}

// The image of O in M is rounded to O_M; the rest is found in double-double and added back.
void MeshSide::SetOrigin(const Eigen::Vector3d& O) {
  origin_ = O;
  const double size =
      std::max(O.cwiseAbs().maxCoeff(), std::max(tree_->bounds().min.cwiseAbs().maxCoeff(),
                                                 tree_->bounds().max.cwiseAbs().maxCoeff()));
  if (X_AM_ == nullptr) {
    O_M_ = O;
    rest_M_.setZero();
  } else {
    Vector3dd from_t = ToDoubleDouble(O);
    for (int i = 0; i < 3; ++i) from_t[i] = from_t[i] - X_AM_->t[i];
    const Vector3dd image = X_AM_->InverseRotate(from_t);
    O_M_ = Round(image);
    for (int i = 0; i < 3; ++i) rest_M_[i] = -image[i].lo;
  }
  rounding_scale_ = 0x1p-44 * size;
  exact_size_ = 4.0 * size;
  if (X_AM_ != nullptr) exact_size_ += Round(X_AM_->t).cwiseAbs().maxCoeff();
  for (MeshPoint& point : points_) point.local = LocalOf(point.body);
}

std::uint32_t MeshSide::NewSlot(std::uint32_t vertex) {
  vertex_stamp_[vertex] = stamp_;
  const std::uint32_t slot = slots();
  vertex_slot_[vertex] = slot;
  points_.push_back(PointOf(vertex));
  return slot;
}

}  // namespace volcontact
