// Where the boundary of the overlap of two meshes turns from a direction.
#include <Eigen/Geometry>
#include <algorithm>
#include <tuple>

#include "overlap/meshes/mesh_overlap.h"
#include "overlap/meshes/one_sided_nodes.h"

namespace volcontact {
namespace {

// The sine of the angle by which a face has to look along the direction.
constexpr double kLooksAlong = 1e-9;

}  // namespace

bool MeshOverlap::LooksAlong(int side, std::uint32_t face, const Eigen::Vector3d& n_M) const {
  const MeshTree& tree = sides_[side].tree();
  const auto& [i, j, k] = tree.faces()[face];
  const Eigen::Vector3d& p = tree.vertices()[i];
  const Eigen::Vector3d normal = (tree.vertices()[j] - p).cross(tree.vertices()[k] - p);
  return normal.dot(n_M) > kLooksAlong * normal.norm();
}

// Whether all that is inside of a mesh's faces looks along the direction, or nothing of it does.
bool MeshOverlap::LooksOneWay(int side, const Eigen::Vector3d& n_M) {
  Inside& inside = inside_[side];
  const MeshTree& tree = sides_[side].tree();
  bool has_along = false, has_others = false;
  const auto look = [&](std::uint32_t f) {
    (LooksAlong(side, f, n_M) ? has_along : has_others) = true;
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

// Of the faces that look along the direction, in order of the edges.
void MeshOverlap::CollectEdges(int side, const Eigen::Vector3d& n_M) {
  Inside& inside = inside_[side];
  const MeshTree& tree = sides_[side].tree();
  face_edges_.clear();
  const auto add = [&](std::uint32_t face, std::uint32_t crossed) {
    if (!LooksAlong(side, face, n_M)) return;
    const MeshTree::Face& v = tree.faces()[face];
    for (int e = 0; e < 3; ++e) {
      const std::uint64_t from = v[e], to = v[(e + 1) % 3];
      face_edges_.push_back({std::min(from, to) << 32 | std::max(from, to), from < to, crossed, e});
    }
  };
  for (std::uint32_t k = 0; k < inside.crossed_faces.size(); ++k) add(inside.crossed_faces[k], k);
  for (const std::uint32_t f : inside.faces) add(f, kWhole);
  inside.stack = inside.nodes;
  WalkBySides(tree, n_M, &inside.stack, [&](const MeshNode& node, bool has_one_side) {
    if (has_one_side && !LooksAlong(side, node.begin, n_M)) return true;
    for (std::uint32_t f = node.begin; f < node.end; ++f) add(f, kWhole);
    return true;
  });
  const auto key = [](const FaceEdge& e) {
    return std::tuple(e.vertices, e.is_forward, e.crossed, e.edge);
  };
  std::sort(face_edges_.begin(), face_edges_.end(),
            [&](const FaceEdge& a, const FaceEdge& b) { return key(a) < key(b); });
}

// What is inside of edges that faces which look along the direction have on one side only.
void MeshOverlap::ListEdges(int side, std::vector<std::array<Eigen::Vector3d, 2>>* contour) {
  const MeshSide& mesh = sides_[side];
  const Inside& inside = inside_[side];
  const auto add = [&](const FaceEdge& edge) {
    if (edge.crossed == kWhole) {
      const auto at = [&](std::uint64_t vertex) {
        return mesh.PointOf(static_cast<std::uint32_t>(vertex & 0xffffffffu)).local;
      };
      const Eigen::Vector3d low = at(edge.vertices >> 32), high = at(edge.vertices);
      contour->push_back(edge.is_forward ? std::array{low, high} : std::array{high, low});
      return;
    }
    const std::uint32_t begin = inside.first_in_order[edge.crossed];
    CollectPieces(side, begin, inside.first_in_order[edge.crossed + 1], false, scratch());
    for (const Piece& piece : scratch()->pieces) {
      if (piece.edge == edge.edge) contour->push_back({piece.p.p, piece.q.p});
    }
  };
  for (auto first = face_edges_.begin(); first != face_edges_.end();) {
    const auto last = std::find_if(first, face_edges_.end(), [&](const FaceEdge& edge) {
      return edge.vertices != first->vertices;
    });
    const auto forward = std::count_if(first, last, [](const FaceEdge& e) { return e.is_forward; });
    auto left = 2 * forward - (last - first);  // more forward than back
    for (; first != last; ++first) {
      if (left == 0 || first->is_forward != (left > 0)) continue;
      add(*first);
      left += left > 0 ? -1 : 1;
    }
  }
}

void MeshOverlap::ListContour(const Eigen::Vector3d& n,
                              std::vector<std::array<Eigen::Vector3d, 2>>* contour) {
  contour->clear();
  std::array<Eigen::Vector3d, 2> n_M;
  for (int side = 0; side < 2; ++side) n_M[side] = sides_[side].R_AM().transpose() * n;
  for (const FaceCrossing& crossing : crossings_.found()) {
    const bool along_A = LooksAlong(0, crossing.face[0], n_M[0]);
    if (along_A == LooksAlong(1, crossing.face[1], n_M[1])) continue;
    const Eigen::Vector3d &p = crossing.start.p, &q = crossing.end.p;
    contour->push_back(along_A ? std::array{p, q} : std::array{q, p});
  }
  for (int side = 0; side < 2; ++side) {
    if (LooksOneWay(side, n_M[side])) continue;
    CollectEdges(side, n_M[side]);
    ListEdges(side, contour);
  }
}

}  // namespace volcontact
