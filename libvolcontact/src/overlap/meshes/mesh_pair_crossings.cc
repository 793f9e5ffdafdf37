#include "overlap/meshes/mesh_pair_crossings.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

namespace volcontact {
namespace {

// Of a crossing's place on its edge: found in exact numbers and rounded; left to double-doubles.
constexpr double kCrossingRounding = 0x1p-96, kPreciseCrossing = 0x1p-80;

using Corners = MeshCorners;

Corners CornersOf(MeshSide* side, std::uint32_t face) {
  const std::array<std::uint32_t, 3> slots = side->SlotsOf(face);
  return {&side->point(slots[0]), &side->point(slots[1]), &side->point(slots[2])};
}

// Whether the line p0 p1, which crosses the plane of q, does so inside the triangle.
bool PassesInside(const MeshPredicates& predicates, const MeshPoint& p0, const MeshPoint& p1,
                  const Corners& q) {
  const int first = predicates.SideOfLine(p0, p1, *q[0], *q[1]);
  return predicates.SideOfLine(p0, p1, *q[1], *q[2]) == first &&
         predicates.SideOfLine(p0, p1, *q[2], *q[0]) == first;
}

struct Sides {
  std::array<int, 3> s;
  bool Straddle() const { return s[0] != s[1] || s[1] != s[2]; }
  bool Degenerate() const { return s[0] == 0; }
};

Sides SidesOf(const MeshPredicates& predicates, const Corners& p, const MeshFacePlane& q) {
  return {{predicates.SideOfFace(q, *p[0]), predicates.SideOfFace(q, *p[1]),
           predicates.SideOfFace(q, *p[2])}};
}

Eigen::Vector3d Least(const Corners& p) {
  return p[0]->local.cwiseMin(p[1]->local).cwiseMin(p[2]->local);
}
Eigen::Vector3d Greatest(const Corners& p) {
  return p[0]->local.cwiseMax(p[1]->local).cwiseMax(p[2]->local);
}

}  // namespace

MeshPairCrossings::BoxInA MeshPairCrossings::BoxOfB(const MeshNode& node) const {
  const Eigen::Vector3d half = node.Half();
  return {R_AB_ * node.Center() + t_AB_, abs_R_AB_ * half + Eigen::Vector3d::Constant(box_margin_)};
}

// Separated along an axis of A's box or of B's.
bool MeshPairCrossings::BoxesMeet(const MeshNode& a, const MeshNode& b) const {
  const BoxInA box = BoxOfB(b);
  const Eigen::Vector3d half_a = a.Half();
  const Eigen::Vector3d d = box.center - a.Center();
  if ((d.cwiseAbs().array() > (half_a + box.half).array()).any()) return false;
  const Eigen::Vector3d d_B = R_AB_.transpose() * d;
  const Eigen::Vector3d reach =
      abs_R_AB_.transpose() * half_a + b.Half() + Eigen::Vector3d::Constant(box_margin_);
  return (d_B.cwiseAbs().array() <= reach.array()).all();
}

// Splits the larger of two boxes that meet. What is never split stays clear of all the other
// mesh's leaves.
void MeshPairCrossings::FindLeafPairs() {
  const std::vector<MeshNode>& nodes_a = sides_[0]->tree().nodes();
  const std::vector<MeshNode>& nodes_b = sides_[1]->tree().nodes();
  stack_.assign(1, {0u, 0u});
  leaf_pairs_.clear();
  while (!stack_.empty()) {
    const auto [i, j] = stack_.back();
    stack_.pop_back();
    const MeshNode& a = nodes_a[i];
    const MeshNode& b = nodes_b[j];
    if (!BoxesMeet(a, b)) continue;
    if (a.IsLeaf() && b.IsLeaf()) {
      leaf_pairs_.push_back({sides_[0]->Touch(i), sides_[1]->Touch(j)});
      continue;
    }
    const bool split_a =
        b.IsLeaf() || (!a.IsLeaf() && a.Half().squaredNorm() >= b.Half().squaredNorm());
    if (split_a) {
      sides_[0]->MarkSplit(i);
      stack_.push_back({a.right, j});
      stack_.push_back({i + 1, j});
    } else {
      sides_[1]->MarkSplit(j);
      stack_.push_back({i, b.right});
      stack_.push_back({i, j + 1});
    }
  }
}

// The vertices of all touched leaves get their slots before any is referred to.
void MeshPairCrossings::GatherLeaves() {
  for (int k = 0; k < 2; ++k) {
    MeshSide& side = *sides_[k];
    const std::vector<MeshNode>& nodes = side.tree().nodes();
    for (const std::uint32_t leaf : side.touched_leaves()) {
      for (std::uint32_t f = nodes[leaf].begin; f < nodes[leaf].end; ++f) side.SlotsOf(f);
    }
    leaves_[k].clear();
    for (const std::uint32_t leaf : side.touched_leaves()) {
      LeafFaces faces;
      faces.begin = nodes[leaf].begin;
      faces.count = nodes[leaf].end - nodes[leaf].begin;
      for (std::uint32_t i = 0; i < faces.count; ++i) {
        const Corners corners = CornersOf(&side, faces.begin + i);
        faces.planes[i] = MeshFacePlane(corners);
        const Eigen::Vector3d low = Least(corners), high = Greatest(corners);
        const double size = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
        const Eigen::Vector3d margin =
            Eigen::Vector3d::Constant(2.0 * kLocalError * (size + side.rounding_scale()));
        faces.low[i] = low - margin;
        faces.high[i] = high + margin;
      }
      leaves_[k].push_back(faces);
    }
  }
}

void MeshPairCrossings::CrossLeaves(const LeafFaces& a, const LeafFaces& b) {
  for (std::uint32_t i = 0; i < a.count; ++i) {
    for (std::uint32_t j = 0; j < b.count; ++j) {
      if ((a.low[i].array() > b.high[j].array()).any()) continue;
      if ((b.low[j].array() > a.high[i].array()).any()) continue;
      CrossFaces({a.begin + i, b.begin + j}, {&a.planes[i], &b.planes[j]});
    }
  }
}

// There are few of them.
void MeshPairCrossings::NoteFlush(const std::array<std::uint32_t, 2>& face) {
  static std::mutex noting;
  const std::lock_guard lock(noting);
  flush_.push_back({face[0], face[1]});
}

// Two triangles in general position cross in no segment or in one, whose ends are edges of one
// through the other. Where an edge of A's face leaves B, its part inside B ends and the segment
// starts; where an edge of B's face leaves A, the segment ends.
void MeshPairCrossings::CrossFaces(const std::array<std::uint32_t, 2>& face,
                                   const std::array<const MeshFacePlane*, 2>& planes) {
  if (MayBeFlush(*planes[0], *planes[1], exact_size_)) NoteFlush(face);
  const std::array<Corners, 2> p = {planes[0]->corners, planes[1]->corners};
  std::array<Sides, 2> sides;
  for (int k = 0; k < 2; ++k) {
    sides[k] = SidesOf(predicates_, p[k], *planes[1 - k]);
    if (sides[k].Degenerate() || !sides[k].Straddle()) return;
  }
  std::optional<EdgeCrossing> start, end;
  for (int k = 0; k < 2; ++k) {
    for (int e = 0; e < 3; ++e) {
      const int next = (e + 1) % 3;
      if (sides[k].s[e] == sides[k].s[next]) continue;
      if (!PassesInside(predicates_, *p[k][e], *p[k][next], p[1 - k])) continue;
      const bool leaving = sides[k].s[e] < 0;
      std::optional<EdgeCrossing>& slot = leaving == (k == 0) ? start : end;
      slot = {static_cast<std::uint8_t>(k),
              static_cast<std::uint8_t>(e),
              leaving,
              Eigen::Vector3d::Zero(),
              0.0,
              Eigen::Vector3d::Zero(),
              0.0};
    }
  }
  if (start && end) found_.push_back({face, *start, *end});
}

void MeshPairCrossings::Find(std::array<MeshSide*, 2> sides) {
  sides_ = sides;
  R_AB_ = sides[1]->R_AM();
  abs_R_AB_ = R_AB_.cwiseAbs();
  const Rigid* X_AB = sides[1]->X_AM();
  t_AB_ = X_AB == nullptr ? Eigen::Vector3d::Zero().eval() : Round(X_AB->t);
  const double size =
      std::max({t_AB_.cwiseAbs().maxCoeff(), sides[0]->tree().bounds().min.cwiseAbs().maxCoeff(),
                sides[0]->tree().bounds().max.cwiseAbs().maxCoeff(),
                sides[1]->tree().bounds().min.cwiseAbs().maxCoeff(),
                sides[1]->tree().bounds().max.cwiseAbs().maxCoeff()});
  box_margin_ = 0x1p-46 * size;
  predicates_ = MeshPredicates(std::max(sides[0]->rounding_scale(), sides[1]->rounding_scale()));
  exact_size_ = std::max(sides[0]->exact_size(), sides[1]->exact_size());
  found_.clear();
  flush_.clear();
  FindLeafPairs();
  GatherLeaves();
  for (const auto& [a, b] : leaf_pairs_) CrossLeaves(leaves_[0][a], leaves_[1][b]);
  std::sort(flush_.begin(), flush_.end());
}

// p = p0 + t (p1 − p0), t = d0/(d0 − d1) with the signed volumes d over the other face. An error e
// of both volumes moves p along the edge by less than 2e/|d0 − d1| of its length.
void MeshPairCrossings::Locate(const FaceCrossing& crossing, EdgeCrossing* end) const {
  const Corners p = CornersOf(sides_[end->side], crossing.face[end->side]);
  const Corners q = CornersOf(sides_[1 - end->side], crossing.face[1 - end->side]);
  const MeshPoint& p0 = *p[end->edge];
  const MeshPoint& p1 = *p[(end->edge + 1) % 3];
  const Eigen::Vector3d edge = p1.local - p0.local;
  const double d0 = OrientLocal(q[0]->local, q[1]->local, q[2]->local, p0.local);
  const double d1 = OrientLocal(q[0]->local, q[1]->local, q[2]->local, p1.local);
  const double D = std::max((Greatest(q) - Least(q)).maxCoeff(),
                            std::max((p0.local - q[0]->local).cwiseAbs().maxCoeff(),
                                     (p1.local - q[0]->local).cwiseAbs().maxCoeff()));
  const double size = p0.local.cwiseAbs().maxCoeff() + edge.cwiseAbs().maxCoeff();
  const double error = 128.0 * kLocalError * (D + size + predicates_.rounding_scale()) * D * D;
  const double span = std::abs(d0 - d1);
  const double t = span > 0.0 ? std::clamp(d0 / (d0 - d1), 0.0, 1.0) : 0.5;
  const double along = span > 0.0 ? std::min(1.0, error / span) : 1.0;
  end->p =
      t < 0.5 ? Eigen::Vector3d(p0.local + t * edge) : Eigen::Vector3d(p1.local - (1.0 - t) * edge);
  end->error = along * edge.norm() + 2.0 * kLocalError * size;
}

void MeshPairCrossings::LocatePrecisely(const FaceCrossing& crossing, EdgeCrossing* end) const {
  const Corners p = CornersOf(sides_[end->side], crossing.face[end->side]);
  const Corners q = CornersOf(sides_[1 - end->side], crossing.face[1 - end->side]);
  const Vector3dd p0 = p[end->edge]->Exact(), p1 = p[(end->edge + 1) % 3]->Exact();
  const std::array<Vector3dd, 3> face = {q[0]->Exact(), q[1]->Exact(), q[2]->Exact()};
  double error_0 = 0.0, error_1 = 0.0;
  const DoubleDouble d0 = OrientPrecise(face[0], face[1], face[2], p0, &error_0);
  const DoubleDouble d1 = OrientPrecise(face[0], face[1], face[2], p1, &error_1);
  const DoubleDouble span = d0 - d1;
  DoubleDouble t = 0.5;
  double along = 1.0;
  if (span.hi != 0.0) {
    t = d0 / span;
    if (t.hi < 0.0) t = 0.0;
    if (t.hi > 1.0) t = 1.0;
    along = std::min(1.0, (error_0 + error_1) / std::abs(span.hi));
  }
  // A face with next to no area, or an edge almost in its plane.
  if (DoubleDouble exact; along > kPreciseCrossing && ExactCrossing(face, p0, p1, &exact)) {
    t = exact;
    along = kCrossingRounding;
  }
  double length = 0.0, size = 0.0;
  for (int i = 0; i < 3; ++i) {
    const DoubleDouble edge = p1[i] - p0[i];
    const DoubleDouble from_O = p0[i] - DoubleDouble(sides_[0]->origin()[i]);
    const DoubleDouble coordinate = from_O + t * edge;
    end->p[i] = coordinate.hi;
    end->rest[i] = coordinate.lo;
    length += std::abs(edge.hi);
    size = std::max({size, std::abs(p0[i].hi), std::abs(p1[i].hi)});
  }
  end->rest_error = along * length + 0x1p-98 * size;
  end->error = end->rest_error + 0x1p-52 * end->p.cwiseAbs().maxCoeff();
}

void MeshPairCrossings::Locate(bool precise) {
  for (FaceCrossing& crossing : found_) {
    for (EdgeCrossing* end : {&crossing.start, &crossing.end}) {
      precise ? LocatePrecisely(crossing, end) : Locate(crossing, end);
    }
  }
}

// The segment's box against the nodes' boxes in A.
bool MeshPairCrossings::IsOdd(int side, std::uint32_t slot, const Eigen::Vector3d& end) {
  MeshSide* other = sides_[1 - side];
  const MeshPoint p0 = sides_[side]->point(slot);
  const Eigen::Vector3d begin_A = Round(p0.Exact());
  const MeshPoint p1{end - other->origin(), end, nullptr, p0.moves};
  const Eigen::Vector3d margin = Eigen::Vector3d::Constant(box_margin_);
  const Eigen::Vector3d low = begin_A.cwiseMin(end) - margin, high = begin_A.cwiseMax(end) + margin;
  bool odd = false;
  ray_stack_.assign(1, 0u);
  while (!ray_stack_.empty()) {
    const std::uint32_t i = ray_stack_.back();
    ray_stack_.pop_back();
    const MeshNode& node = other->tree().nodes()[i];
    const BoxInA box = side == 0 ? BoxOfB(node) : BoxInA{node.Center(), node.Half() + margin};
    if (((box.center - box.half).array() > high.array()).any()) continue;
    if (((box.center + box.half).array() < low.array()).any()) continue;
    if (!node.IsLeaf()) {
      ray_stack_.push_back(node.right);
      ray_stack_.push_back(i + 1);
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      other->SlotsOf(f);
      const Corners q = CornersOf(other, f);
      const int s0 = predicates_.SideOfFace(q, p0), s1 = predicates_.SideOfFace(q, p1);
      if (s0 != s1 && PassesInside(predicates_, p0, p1, q)) odd = !odd;
    }
  }
  return odd;
}

}  // namespace volcontact
