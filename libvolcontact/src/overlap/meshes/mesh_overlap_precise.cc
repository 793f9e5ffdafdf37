// The sums of MeshOverlap in double-double.
#include <Eigen/Geometry>
#include <algorithm>

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

void MeshOverlap::SumFacePrecisely(int side, std::size_t begin, std::size_t end,
                                   PreciseSums* sums) {
  const double error =
      CollectPieces(side, begin, end, true) + kPrecisePointRounding * sides_[side].exact_size();
  const Vector3dd c = Precise(pieces_.front().p);
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  for (const Piece& piece : pieces_) {
    area += sums->AddTriangle(c, Precise(piece.p), Precise(piece.q));
    error_ += ConeError(pieces_.front().p.p, piece.p.p, piece.q.p, error, kPreciseTermRounding);
  }
  inside_[side].partial.push_back(area);
}

void MeshOverlap::SumWholePrecisely(int side, PreciseSums* sums) {
  const MeshTree& tree = sides_[side].tree();
  const double error = kPrecisePointRounding * sides_[side].exact_size();
  const auto add_face = [&](std::uint32_t f) {
    std::array<Vector3dd, 3> v;
    for (int i = 0; i < 3; ++i) v[i] = PreciseVertex(side, tree.faces()[f][i]);
    sums->AddTriangle(v[0], v[1], v[2]);
    error_ += ConeError(Round(v[0]), Round(v[1]), Round(v[2]), error, kPreciseTermRounding);
  };
  for (const std::uint32_t i : inside_[side].nodes) {
    for (std::uint32_t f = tree.nodes()[i].begin; f < tree.nodes()[i].end; ++f) add_face(f);
  }
  for (const std::uint32_t f : inside_[side].faces) add_face(f);
}

// The two sides cancel before they are rounded. Finish() adds them: the total goes with A, with B
// only what is its own.
void MeshOverlap::SumPrecisely() {
  error_ = 0.0;
  std::array<PreciseSums, 2> sums;
  for (int side = 0; side < 2; ++side) {
    inside_[side].partial.clear();
    ForEachCrossedFace(side, [&](std::size_t begin, std::size_t end) {
      SumFacePrecisely(side, begin, end, &sums[side]);
    });
    SumWholePrecisely(side, &sums[side]);
  }
  const SurfaceSums of_b = sums[1].Rounded();
  sums[0] += sums[1];
  sums_[0] = sums[0].Rounded();
  sums_[1] = {};
  sums_[1].area = of_b.area;
  sums_[1].torque = of_b.torque;
  error_ += 0x1p-50 * std::max(0.0, sums_[0].flux_0);
}

}  // namespace volcontact
