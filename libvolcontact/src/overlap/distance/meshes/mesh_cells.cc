#include "overlap/distance/meshes/mesh_cells.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "overlap/distance/meshes/triangle_distance.h"

namespace volcontact {

using Eigen::Vector3d;

MeshCells::MeshCells(const MeshTree& mesh, const Rigid& X_CM)
    : mesh_(mesh), R_(X_CM.RotationDouble()), t_(Round(X_CM.t)) {
  AddNode(0);
}

int MeshCells::AddNode(std::uint32_t node) {
  Cell& cell = cells_.emplace_back();
  cell.center = R_ * mesh_.nodes()[node].Center() + t_;
  cell.half = mesh_.nodes()[node].Half();
  cell.node = node;
  return static_cast<int>(cells_.size()) - 1;
}

int MeshCells::AddFace(const Triangle& corners) {
  Cell& cell = cells_.emplace_back();
  cell.is_face = true;
  const Vector3d low = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]);
  const Vector3d high = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
  cell.center = 0.5 * (low + high);
  cell.half = 0.5 * (high - low);
  for (int i = 0; i < 3; ++i) cell.corners[i] = corners[i] - cell.center;
  cell.normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  return static_cast<int>(cells_.size()) - 1;
}

const std::vector<int>& MeshCells::Children(int index, double) {
  if (cells_[index].children) return *cells_[index].children;
  std::vector<int> children;
  if (cells_[index].is_face) {
    Triangle t = cells_[index].corners;
    for (Vector3d& p : t) p += cells_[index].center;
    int first = 0;
    const auto length = [&](int i) { return (t[(i + 1) % 3] - t[i]).squaredNorm(); };
    for (int i = 1; i < 3; ++i) first = length(i) > length(first) ? i : first;
    const int second = (first + 1) % 3;
    Triangle half = t;
    half[second] = t[first] = 0.5 * (t[first] + t[second]);
    children = {AddFace(half), AddFace(t)};
  } else {
    const std::uint32_t number = cells_[index].node;
    const MeshNode& node = mesh_.nodes()[number];
    if (!node.IsLeaf()) {
      children = {AddNode(number + 1), AddNode(node.right)};
    } else {
      for (std::uint32_t face = node.begin; face < node.end; ++face) {
        Triangle t;
        for (int i = 0; i < 3; ++i) t[i] = R_ * mesh_.vertices()[mesh_.faces()[face][i]] + t_;
        children.push_back(AddFace(t));
      }
    }
  }
  cells_[index].children = std::move(children);
  return *cells_[index].children;
}

double MeshCells::Support(int index, const Vector3d& u) const {
  const Cell& cell = cells_[index];
  if (!cell.is_face) return (R_.transpose() * u).cwiseAbs().dot(cell.half);
  return std::max({u.dot(cell.corners[0]), u.dot(cell.corners[1]), u.dot(cell.corners[2])});
}

Vector3d MeshCells::Nearest(int index, const Vector3d& p) const {
  const Cell& cell = cells_[index];
  const Vector3d d = p - cell.center;
  if (cell.is_face) return cell.center + NearestOnTriangle(d, cell.corners);
  return cell.center + R_ * (R_.transpose() * d).cwiseMax(-cell.half).cwiseMin(cell.half);
}

std::optional<Vector3d> MeshCells::Pull(int index, const Vector3d& p) const {
  const Cell& cell = cells_[index];
  if (cell.is_face) return Nearest(index, p);
  return R_ * mesh_.vertices()[mesh_.faces()[mesh_.nodes()[cell.node].begin][0]] + t_;
}

}  // namespace volcontact
