// The sums of MeshOverlap in double-double.
#include <Eigen/Geometry>
#include <algorithm>

#include "math/parallel.h"
#include "overlap/meshes/mesh_overlap.h"

namespace volcontact {
Vector3dd MeshOverlap::PreciseVertex(int side, std::uint32_t vertex) const {
  const MeshSide& mesh = sides_[side];
  const Vector3dd p_M = ToDoubleDouble(mesh.tree().vertices()[vertex]);
  Vector3dd p = mesh.X_AM() == nullptr ? p_M : *mesh.X_AM() * p_M;
  for (int i = 0; i < 3; ++i) p[i] -= O_[i];
  return p;
}

Vector3dd MeshOverlap::Precise(const Point& point) {
  Vector3dd p;
  for (int i = 0; i < 3; ++i) p[i] = {point.p[i], point.rest[i]};
  return p;
}

void MeshOverlap::SumCrossedPrecisely(Part* part, Scratch* scratch) {
  const int side = part->side;
  Inside& inside = inside_[side];
  const double rounding = kPrecisePointRounding * sides_[side].exact_size();
  for (std::size_t k = part->begin; k < part->end; ++k) {
    const double error =
        CollectPieces(side, inside.first_in_order[k], inside.first_in_order[k + 1], true, scratch) +
        rounding;
    const Point& first = scratch->pieces.front().p;
    const Vector3dd c = Precise(first);
    Eigen::Vector3d area = Eigen::Vector3d::Zero();
    for (const Piece& piece : scratch->pieces) {
      area += part->precise.AddTriangle(c, Precise(piece.p), Precise(piece.q));
      part->error += ConeError(first.p, piece.p.p, piece.q.p, error, kPreciseTermRounding);
    }
    inside.partial[k] = area;
  }
}

void MeshOverlap::ListAllFaces(int side) {
  Inside& inside = inside_[side];
  inside.all_faces.clear();
  for (const std::uint32_t i : inside.nodes) {
    const MeshNode& node = sides_[side].tree().nodes()[i];
    for (std::uint32_t f = node.begin; f < node.end; ++f) inside.all_faces.push_back(f);
  }
  inside.all_faces.insert(inside.all_faces.end(), inside.faces.begin(), inside.faces.end());
}

void MeshOverlap::SumWholePrecisely(Part* part) const {
  const int side = part->side;
  const MeshTree& tree = sides_[side].tree();
  const double error = kPrecisePointRounding * sides_[side].exact_size();
  for (std::size_t k = part->begin; k < part->end; ++k) {
    const MeshTree::Face& face = tree.faces()[inside_[side].all_faces[k]];
    std::array<Vector3dd, 3> v;
    for (int i = 0; i < 3; ++i) v[i] = PreciseVertex(side, face[i]);
    part->precise.AddTriangle(v[0], v[1], v[2]);
    part->error += ConeError(Round(v[0]), Round(v[1]), Round(v[2]), error, kPreciseTermRounding);
  }
}

// The two sides cancel before they are rounded. Finish() adds them: the total goes with A, with B
// only what is its own.
void MeshOverlap::SumPrecisely() {
  CutIntoParts(true);
  ParallelFor(parts_.size(), threads_, [&](std::size_t n, int worker) {
    Part* const part = &parts_[n];
    part->kind == Part::Kind::kCrossed ? SumCrossedPrecisely(part, &scratch_[worker])
                                       : SumWholePrecisely(part);
  });
  error_ = 0.0;
  std::array<PreciseSums, 2> sums;
  for (const Part& part : parts_) {
    sums[part.side] += part.precise;
    error_ += part.error;
  }
  of_B_ = sums[1].Rounded();
  sums[0] += sums[1];
  sums_[0] = sums[0].Rounded();
  sums_[1] = {};
  sums_[1].area = of_B_.area;
  sums_[1].torque = of_B_.torque;
  error_ += 0x1p-50 * std::max(0.0, sums_[0].flux_0);
}

}  // namespace volcontact
