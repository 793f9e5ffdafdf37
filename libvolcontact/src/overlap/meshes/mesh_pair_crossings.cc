#include "overlap/meshes/mesh_pair_crossings.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "math/parallel.h"

namespace volcontact {
namespace {

// The error of a crossing's place on its edge: found in exact numbers and rounded, or left to
// double-doubles.
constexpr double kCrossingRounding = 0x1p-96, kPreciseCrossing = 0x1p-80;
// Pairs of nodes that threads share: with fewer there is less to do than to wake them takes.
constexpr std::size_t kFront = 256;
// Pairs of leaves, leaves and crossings that one thread takes at a time.
constexpr std::size_t kPairsOfPart = 128, kLeavesOfPart = 64, kCrossingsOfPart = 64;

using Corners = MeshCorners;

// The corners of a face whose vertices have been asked for.
Corners CornersOf(const MeshSide& side, std::uint32_t face) {
  const MeshTree::Face& v = side.tree().faces()[face];
  const auto point = [&](std::uint32_t vertex) { return &side.point(side.FindSlot(vertex)); };
  return {point(v[0]), point(v[1]), point(v[2])};
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

bool MeshPairCrossings::IsLeafPair(const Pair& pair) const {
  return sides_[0]->tree().nodes()[pair.first].IsLeaf() &&
         sides_[1]->tree().nodes()[pair.second].IsLeaf();
}

// Whether the boxes of a pair of nodes meet, which are not both leaves: then the larger is split.
// What is never split stays clear of all the other mesh's leaves.
bool MeshPairCrossings::SplitPair(const Pair& pair, std::array<Pair, 2>* parts) {
  const auto [i, j] = pair;
  const MeshNode& a = sides_[0]->tree().nodes()[i];
  const MeshNode& b = sides_[1]->tree().nodes()[j];
  if (!BoxesMeet(a, b)) return false;
  const bool split_a =
      b.IsLeaf() || (!a.IsLeaf() && a.Half().squaredNorm() >= b.Half().squaredNorm());
  sides_[split_a ? 0 : 1]->MarkSplit(split_a ? i : j);
  if (split_a) {
    *parts = {Pair{i + 1, j}, Pair{a.right, j}};
  } else {
    *parts = {Pair{i, j + 1}, Pair{i, b.right}};
  }
  return true;
}

// From the roots down until there are enough pairs for threads, or only leaves.
void MeshPairCrossings::SplitFront() {
  front_.assign(1, {0u, 0u});
  if (threads_ == 1) return;
  for (bool has_split = true; has_split && front_.size() < kFront;) {
    has_split = false;
    next_front_.clear();
    for (const Pair& pair : front_) {
      std::array<Pair, 2> parts;
      if (IsLeafPair(pair)) {
        next_front_.push_back(pair);
      } else if (SplitPair(pair, &parts)) {
        has_split = true;
        next_front_.insert(next_front_.end(), parts.begin(), parts.end());
      }
    }
    front_.swap(next_front_);
  }
  // What is left would be done before others had come.
  if (front_.size() < kFront) threads_ = 1;
}

// In the order of the trees, however far they were split before.
void MeshPairCrossings::FindLeafPairs(const Pair& from, std::vector<Pair>* stack,
                                      std::vector<Pair>* found) {
  found->clear();
  stack->assign(1, from);
  while (!stack->empty()) {
    const Pair pair = stack->back();
    stack->pop_back();
    std::array<Pair, 2> parts;
    if (IsLeafPair(pair)) {
      const auto [i, j] = pair;
      if (BoxesMeet(sides_[0]->tree().nodes()[i], sides_[1]->tree().nodes()[j])) {
        found->push_back(pair);
      }
    } else if (SplitPair(pair, &parts)) {
      stack->push_back(parts[1]);
      stack->push_back(parts[0]);
    }
  }
}

// The vertices of all touched leaves get their slots before any is referred to.
void MeshPairCrossings::NumberLeaves(int side) {
  MeshSide& mesh = *sides_[side];
  std::size_t n = 0;
  for (std::size_t part = 0; part < front_.size(); ++part) {
    for (const Pair& pair : nodes_of_front_[part]) {
      Pair& numbers = leaf_pairs_[n++];
      (side == 0 ? numbers.first : numbers.second) =
          mesh.Touch(side == 0 ? pair.first : pair.second);
    }
  }
  const std::vector<MeshNode>& nodes = mesh.tree().nodes();
  for (const std::uint32_t leaf : mesh.touched_leaves()) {
    for (std::uint32_t f = nodes[leaf].begin; f < nodes[leaf].end; ++f) mesh.SlotsOf(f);
  }
  leaves_[side].resize(mesh.touched_leaves().size());
}

MeshPairCrossings::LeafFaces MeshPairCrossings::FacesOf(int side, std::uint32_t leaf) const {
  const MeshSide& mesh = *sides_[side];
  const MeshNode& node = mesh.tree().nodes()[leaf];
  LeafFaces faces;
  faces.begin = node.begin;
  faces.count = node.end - node.begin;
  for (std::uint32_t i = 0; i < faces.count; ++i) {
    const Corners corners = CornersOf(mesh, faces.begin + i);
    faces.planes[i] = MeshFacePlane(corners);
    const Eigen::Vector3d low = Least(corners), high = Greatest(corners);
    const double size = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
    const Eigen::Vector3d margin =
        Eigen::Vector3d::Constant(2.0 * kLocalError * (size + mesh.rounding_scale()));
    faces.low[i] = low - margin;
    faces.high[i] = high + margin;
  }
  return faces;
}

void MeshPairCrossings::CrossLeaves(const LeafFaces& a, const LeafFaces& b,
                                    std::vector<FaceCrossing>* found) const {
  for (std::uint32_t i = 0; i < a.count; ++i) {
    for (std::uint32_t j = 0; j < b.count; ++j) {
      if ((a.low[i].array() > b.high[j].array()).any()) continue;
      if ((b.low[j].array() > a.high[i].array()).any()) continue;
      CrossFaces({a.begin + i, b.begin + j}, {&a.planes[i], &b.planes[j]}, found);
    }
  }
}

void MeshPairCrossings::CrossAllLeaves() {
  found_.clear();
  if (threads_ == 1) {
    for (const auto& [a, b] : leaf_pairs_) CrossLeaves(leaves_[0][a], leaves_[1][b], &found_);
    return;
  }
  const std::size_t parts = (leaf_pairs_.size() + kPairsOfPart - 1) / kPairsOfPart;
  if (found_by_part_.size() < parts) found_by_part_.resize(parts);
  ParallelForParts(leaf_pairs_.size(), kPairsOfPart, threads_,
                   [&](std::size_t part, std::size_t begin, std::size_t end, int) {
                     found_by_part_[part].clear();
                     for (std::size_t n = begin; n < end; ++n) {
                       const auto [a, b] = leaf_pairs_[n];
                       CrossLeaves(leaves_[0][a], leaves_[1][b], &found_by_part_[part]);
                     }
                   });
  for (std::size_t part = 0; part < parts; ++part) {
    found_.insert(found_.end(), found_by_part_[part].begin(), found_by_part_[part].end());
  }
}

// There are few of them.
void MeshPairCrossings::NoteFlush(const std::array<std::uint32_t, 2>& face) const {
  static std::mutex noting;
  const std::lock_guard lock(noting);
  flush_.push_back({face[0], face[1]});
}

// Two triangles in general position cross in no segment or in one, whose ends are edges of one
// through the other. Where an edge of A's face leaves B, its part inside B ends and the segment
// starts; where an edge of B's face leaves A, the segment ends.
void MeshPairCrossings::CrossFaces(const std::array<std::uint32_t, 2>& face,
                                   const std::array<const MeshFacePlane*, 2>& planes,
                                   std::vector<FaceCrossing>* found) const {
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
  if (start && end) found->push_back({face, *start, *end});
}

void MeshPairCrossings::Find(std::array<MeshSide*, 2> sides, int threads) {
  sides_ = sides;
  threads_ = std::max(1, threads);
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
  flush_.clear();
  SplitFront();
  if (nodes_of_front_.size() < front_.size()) nodes_of_front_.resize(front_.size());
  if (stacks_.size() < static_cast<std::size_t>(threads_)) stacks_.resize(threads_);
  ParallelFor(front_.size(), threads_, [&](std::size_t n, int worker) {
    FindLeafPairs(front_[n], &stacks_[worker], &nodes_of_front_[n]);
  });
  std::size_t count = 0;
  for (std::size_t n = 0; n < front_.size(); ++n) count += nodes_of_front_[n].size();
  leaf_pairs_.resize(count);
  ParallelFor(2, threads_, [&](std::size_t side, int) { NumberLeaves(static_cast<int>(side)); });
  const std::size_t leaves_of_a = leaves_[0].size();
  ParallelForParts(leaves_of_a + leaves_[1].size(), kLeavesOfPart, threads_,
                   [&](std::size_t, std::size_t begin, std::size_t end, int) {
                     for (std::size_t n = begin; n < end; ++n) {
                       const int side = n < leaves_of_a ? 0 : 1;
                       const std::size_t k = side == 0 ? n : n - leaves_of_a;
                       leaves_[side][k] = FacesOf(side, sides_[side]->touched_leaves()[k]);
                     }
                   });
  CrossAllLeaves();
  std::sort(flush_.begin(), flush_.end());
}

// p = p0 + t (p1 − p0), t = d0/(d0 − d1) with the signed volumes d over the other face. An error e
// of both volumes moves p along the edge by less than 2e/|d0 − d1| of its length.
void MeshPairCrossings::Locate(const FaceCrossing& crossing, EdgeCrossing* end) const {
  const Corners p = CornersOf(*sides_[end->side], crossing.face[end->side]);
  const Corners q = CornersOf(*sides_[1 - end->side], crossing.face[1 - end->side]);
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
  const Corners p = CornersOf(*sides_[end->side], crossing.face[end->side]);
  const Corners q = CornersOf(*sides_[1 - end->side], crossing.face[1 - end->side]);
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

void MeshPairCrossings::Locate(bool precise, int threads) {
  ParallelForParts(found_.size(), kCrossingsOfPart, threads,
                   [&](std::size_t, std::size_t begin, std::size_t end, int) {
                     for (std::size_t n = begin; n < end; ++n) {
                       FaceCrossing& crossing = found_[n];
                       for (EdgeCrossing* stop : {&crossing.start, &crossing.end}) {
                         precise ? LocatePrecisely(crossing, stop) : Locate(crossing, stop);
                       }
                     }
                   });
}

// The segment's box against the nodes' boxes in A.
bool MeshPairCrossings::IsOdd(int side, const MeshPoint& vertex, const Eigen::Vector3d& end,
                              std::vector<std::uint32_t>* stack) const {
  const MeshSide& other = *sides_[1 - side];
  const Eigen::Vector3d begin_A = Round(vertex.Exact());
  const MeshPoint end_point{end - other.origin(), end, nullptr, vertex.moves};
  const Eigen::Vector3d margin = Eigen::Vector3d::Constant(box_margin_);
  const Eigen::Vector3d low = begin_A.cwiseMin(end) - margin, high = begin_A.cwiseMax(end) + margin;
  bool odd = false;
  stack->assign(1, 0u);
  while (!stack->empty()) {
    const std::uint32_t i = stack->back();
    stack->pop_back();
    const MeshNode& node = other.tree().nodes()[i];
    const BoxInA box = side == 0 ? BoxOfB(node) : BoxInA{node.Center(), node.Half() + margin};
    if (((box.center - box.half).array() > high.array()).any()) continue;
    if (((box.center + box.half).array() < low.array()).any()) continue;
    if (!node.IsLeaf()) {
      stack->push_back(node.right);
      stack->push_back(i + 1);
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const MeshTree::Face& v = other.tree().faces()[f];
      const std::array<MeshPoint, 3> points = {other.PointOf(v[0]), other.PointOf(v[1]),
                                               other.PointOf(v[2])};
      const Corners q = {&points[0], &points[1], &points[2]};
      const int s0 = predicates_.SideOfFace(q, vertex);
      const int s1 = predicates_.SideOfFace(q, end_point);
      if (s0 != s1 && PassesInside(predicates_, vertex, end_point, q)) odd = !odd;
    }
  }
  return odd;
}

}  // namespace volcontact
