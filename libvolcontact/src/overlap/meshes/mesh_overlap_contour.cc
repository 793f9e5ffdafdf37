// Where the boundary of the overlap of two meshes turns from a direction.
#include <Eigen/Geometry>
#include <algorithm>

#include "overlap/meshes/mesh_overlap.h"
#include "overlap/meshes/sums/one_sided_nodes.h"

namespace volcontact {

// Whether all that is inside of a mesh's faces looks along the direction, or nothing of it does.
bool MeshOverlap::LooksOneWay(int side, const Eigen::Vector3d& n_M) {
  Inside& inside = inside_[side];
  const MeshTree& tree = sides_[side].tree();
  bool has_along = false, has_others = false;
  const auto look = [&](std::uint32_t f) {
    (LooksAlong(tree, f, n_M) ? has_along : has_others) = true;
    return !(has_along && has_others);
  };
  if (!std::all_of(inside.crossed_faces.begin(), inside.crossed_faces.end(), look)) return false;
  if (!std::all_of(inside.faces.begin(), inside.faces.end(), look)) return false;
  inside.stack = inside.nodes;
  return WalkBySides(tree, n_M, &inside.stack, [&](const MeshNode& node, bool has_one_side) {
    if (has_one_side) return look(node.begin);
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      if (!look(f)) return false;
    }
    return true;
  });
}

// What is inside of a mesh's edges at which faces look along the direction and others do not.
void MeshOverlap::ListEdges(int side, const Eigen::Vector3d& n_M,
                            std::vector<std::array<Eigen::Vector3d, 2>>* contour) {
  Inside& inside = inside_[side];
  const MeshSide& mesh = sides_[side];
  const MeshTree& tree = mesh.tree();
  const auto add_whole = [&](std::uint32_t face, int e) {
    const MeshTree::Face& v = tree.faces()[face];
    contour->push_back({mesh.PointOf(v[e]).local, mesh.PointOf(v[(e + 1) % 3]).local});
  };
  for (std::uint32_t k = 0; k < inside.crossed_faces.size(); ++k) {
    ForContourOf(tree, inside.crossed_faces[k], n_M, [&](std::uint32_t, int e) {
      CollectPieces(side, inside.first_in_order[k], inside.first_in_order[k + 1], false, scratch());
      for (const Piece& piece : scratch()->pieces) {
        if (piece.edge == e) contour->push_back({piece.p.p, piece.q.p});
      }
    });
  }
  for (const std::uint32_t f : inside.faces) ForContourOf(tree, f, n_M, add_whole);
  inside.stack = inside.nodes;
  ForContour(tree, n_M, &inside.stack, add_whole);
}

void MeshOverlap::ListContour(const Eigen::Vector3d& n,
                              std::vector<std::array<Eigen::Vector3d, 2>>* contour) {
  contour->clear();
  std::array<Eigen::Vector3d, 2> n_M;
  for (int side = 0; side < 2; ++side) n_M[side] = sides_[side].R_AM().transpose() * n;
  for (const FaceCrossing& crossing : crossings_.found()) {
    AddCrossing(crossing.start.p, crossing.end.p,
                LooksAlong(sides_[0].tree(), crossing.face[0], n_M[0]),
                LooksAlong(sides_[1].tree(), crossing.face[1], n_M[1]), contour);
  }
  for (int side = 0; side < 2; ++side) {
    if (!LooksOneWay(side, n_M[side])) ListEdges(side, n_M[side], contour);
  }
  // Run the other way around, the edges of sheets between faces that touch take these out again.
  for (const auto& [p, q, r] : sheets_) {
    const bool is_left = (q - p).cross(r - p).dot(n) > 0.0;
    const Eigen::Vector3d &second = is_left ? r : q, &third = is_left ? q : r;
    contour->push_back({p, second});
    contour->push_back({second, third});
    contour->push_back({third, p});
  }
}

}  // namespace volcontact
