// What the Hessian of two meshes is made of.
#include <Eigen/Geometry>

#include "overlap/meshes/mesh_overlap.h"

namespace volcontact {

void MeshOverlap::ListCrossings(std::vector<FlatCrossing>* crossings) const {
  const auto normal_of = [&](int side, std::uint32_t face) {
    const auto& [a, b, c] = sides_[side].tree().faces()[face];
    const auto at = [&](std::uint32_t vertex) {
      return sides_[side].point(sides_[side].FindSlot(vertex)).local;
    };
    const Eigen::Vector3d p = at(a);
    return Eigen::Vector3d((at(b) - p).cross(at(c) - p));
  };
  crossings->clear();
  for (const FaceCrossing& crossing : crossings_.found()) {
    if (crossing.start.p == crossing.end.p) continue;
    crossings->push_back({crossing.start.p, crossing.end.p, normal_of(0, crossing.face[0]),
                          normal_of(1, crossing.face[1])});
  }
}

Eigen::Matrix3d MeshOverlap::MomentOfB() {
  const MeshSide& mesh = sides_[1];
  const Inside& inside = inside_[1];
  Eigen::Matrix3d moment = Eigen::Matrix3d::Zero();
  const auto add = [](const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r,
                      Eigen::Matrix3d* sum) {
    *sum += (p + q + r) * (q - p).cross(r - p).transpose() / 6.0;
  };
  ForEachCrossedFace(1, [&](std::size_t begin, std::size_t end) {
    CollectPieces(1, begin, end, false, scratch());
    const std::vector<Piece>& pieces = scratch()->pieces;
    for (const Piece& piece : pieces) add(pieces.front().p.p, piece.p.p, piece.q.p, &moment);
  });
  Eigen::Matrix3d whole = Eigen::Matrix3d::Zero();  // in the mesh's own axes
  const auto add_face = [&](std::uint32_t f) {
    const auto& [i, j, k] = mesh.tree().faces()[f];
    add(mesh.FromOrigin(mesh.tree().vertices()[i]), mesh.FromOrigin(mesh.tree().vertices()[j]),
        mesh.FromOrigin(mesh.tree().vertices()[k]), &whole);
  };
  for (const std::uint32_t number : inside.nodes) {
    const MeshNode& node = mesh.tree().nodes()[number];
    if (node.IsLeaf()) {
      for (std::uint32_t f = node.begin; f < node.end; ++f) add_face(f);
      continue;
    }
    const FaceSums& sums = mesh.tree().sums(node).faces;
    whole += sums.first + mesh.FromOrigin(node.Center()) * sums.area.transpose();
  }
  for (const std::uint32_t f : inside.faces) add_face(f);
  return moment + mesh.R_AM() * whole * mesh.R_AM().transpose();
}

}  // namespace volcontact
