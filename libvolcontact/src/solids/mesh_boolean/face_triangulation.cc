#include "solids/mesh_boolean/face_triangulation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace volcontact {
namespace {

// The rounding of coordinates to doubles, and of what is computed from them, with a margin.
constexpr double kRounding = 0x1p-48;
// The same of double-doubles.
constexpr double kPreciseRounding = 0x1p-96;
constexpr int kNone = -1;

}  // namespace

FaceTriangulation::FaceTriangulation(const Triangle& corners, RationalPoints* points)
    : corners_(corners), points_(points) {
  const Eigen::Vector3d a = points->rounded(corners[0]), b = points->rounded(corners[1]),
                        c = points->rounded(corners[2]);
  int axis = 0;
  (b - a).cross(c - a).cwiseAbs().maxCoeff(&axis);
  // Needles of which rounding leaves no normal are seen along an axis that shows area.
  for (int turn = 0; turn < 3; ++turn, axis = (axis + 1) % 3) {
    u_ = (axis + 1) % 3;
    v_ = (axis + 2) % 3;
    const int side = Side(corners[0], corners[1], corners[2]);
    if (side < 0) std::swap(u_, v_);
    if (side != 0) break;
  }
}

void FaceTriangulation::Add(const std::vector<int>& points) {
  if (points.size() < 3) {
    Add(points.front(), points.back());
    return;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    Add(points[i], points[(i + 1) % points.size()]);
  }
}

// Positive where c lies to the left of the line from a to b.
int FaceTriangulation::Side(int a, int b, int c) const {
  const Vector3dd &p = points_->precise(a), &q = points_->precise(b), &r = points_->precise(c);
  const DoubleDouble bu = q[u_] - p[u_], bv = q[v_] - p[v_], cu = r[u_] - p[u_], cv = r[v_] - p[v_];
  const double area = (bu * cv - bv * cu).hi;
  double size = 0.0;
  for (const int k : {u_, v_}) {
    size = std::max({size, std::abs(p[k].hi), std::abs(q[k].hi), std::abs(r[k].hi)});
  }
  const double error = kPreciseRounding * size *
                       (std::abs(bu.hi) + std::abs(bv.hi) + std::abs(cu.hi) + std::abs(cv.hi));
  if (std::abs(area) > error) return area > 0.0 ? 1 : -1;
  const RationalPoint &P = points_->exact(a), &Q = points_->exact(b), &R = points_->exact(c);
  return Sign((Q[u_] - P[u_]) * (R[v_] - P[v_]) - (Q[v_] - P[v_]) * (R[u_] - P[u_]));
}

int FaceTriangulation::LongestAxis(const Edge& segment) const {
  const Eigen::Vector3d d = points_->rounded(segment.second) - points_->rounded(segment.first);
  if (d[u_] == 0.0 && d[v_] == 0.0) {
    return points_->exact(segment.first)[u_] != points_->exact(segment.second)[u_] ? u_ : v_;
  }
  return std::abs(d[u_]) >= std::abs(d[v_]) ? u_ : v_;
}

// Whether a point of the segment's line lies between the ends.
bool FaceTriangulation::IsBetween(int p, const Edge& segment) const {
  const int k = LongestAxis(segment);
  const Rational &x = points_->exact(p)[k], &from = points_->exact(segment.first)[k],
                 &to = points_->exact(segment.second)[k];
  return (from < x && x < to) || (to < x && x < from);
}

void FaceTriangulation::NotePoint(int p, Segment* segment) const {
  const auto [from, to] = segment->ends;
  if (p == from || p == to || from == to) return;
  if (Side(from, to, p) == 0 && IsBetween(p, segment->ends)) segment->on.push_back(p);
}

int FaceTriangulation::CrossingOf(const Edge& first, const Edge& second) {
  const RationalPoint &a = points_->exact(first.first), &b = points_->exact(first.second),
                      &c = points_->exact(second.first), &d = points_->exact(second.second);
  const Rational du = d[u_] - c[u_], dv = d[v_] - c[v_];
  const Rational t =
      ((c[u_] - a[u_]) * dv - (c[v_] - a[v_]) * du) / ((b[u_] - a[u_]) * dv - (b[v_] - a[v_]) * du);
  RationalPoint p;
  for (int i = 0; i < 3; ++i) p[i] = a[i] + t * (b[i] - a[i]);
  return points_->Add(p);
}

void FaceTriangulation::Cross(Segment* first, Segment* second) {
  const auto [a, b] = first->ends;
  const auto [c, d] = second->ends;
  for (const int k : {u_, v_}) {
    const auto [low, high] = std::minmax(points_->rounded(a)[k], points_->rounded(b)[k]);
    const auto [from, to] = std::minmax(points_->rounded(c)[k], points_->rounded(d)[k]);
    const double margin = kRounding * std::max({-low, high, -from, to});
    if (from > high + margin || low > to + margin) return;
  }
  const bool is_crossed =
      a != b && c != d && Side(a, b, c) * Side(a, b, d) < 0 && Side(c, d, a) * Side(c, d, b) < 0;
  if (is_crossed) {
    const int p = CrossingOf(first->ends, second->ends);
    first->on.push_back(p);
    second->on.push_back(p);
    return;
  }
  NotePoint(c, first);
  NotePoint(d, first);
  NotePoint(a, second);
  NotePoint(b, second);
}

void FaceTriangulation::Run() {
  for (Segment& segment : segments_) {
    if (segment.ends.first > segment.ends.second) {
      std::swap(segment.ends.first, segment.ends.second);
    }
  }
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.ends < b.ends; });
  segments_.erase(std::unique(segments_.begin(), segments_.end(),
                              [](const Segment& a, const Segment& b) { return a.ends == b.ends; }),
                  segments_.end());
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) Cross(&segments_[i], &segments_[j]);
  }
  AddTriangle(corners_[0], corners_[1], corners_[2]);
  for (Segment& segment : segments_) {
    const int k = LongestAxis(segment.ends);
    segment.on.push_back(segment.ends.first);
    segment.on.push_back(segment.ends.second);
    std::sort(segment.on.begin(), segment.on.end(),
              [&](int p, int q) { return points_->exact(p)[k] < points_->exact(q)[k]; });
    segment.on.erase(std::unique(segment.on.begin(), segment.on.end()), segment.on.end());
    for (const int p : segment.on) InsertPoint(p);
  }
  for (const Segment& segment : segments_) {
    for (std::size_t i = 1; i < segment.on.size(); ++i) {
      const Edge cut = std::minmax(segment.on[i - 1], segment.on[i]);
      InsertEdge(cut.first, cut.second);
      cuts_.push_back(cut);
    }
  }
  std::sort(cuts_.begin(), cuts_.end());
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  ShortenEdges();
}

std::vector<FaceTriangulation::Triangle> FaceTriangulation::Triangles() const {
  std::vector<Triangle> triangles;
  for (const auto& [edge, apex] : apex_) {
    const auto [a, b] = edge;
    if (a < b && a < apex) triangles.push_back({a, b, apex});
  }
  return triangles;
}

void FaceTriangulation::AddTriangle(int a, int b, int c) {
  apex_[{a, b}] = c;
  apex_[{b, c}] = a;
  apex_[{c, a}] = b;
}

void FaceTriangulation::RemoveTriangle(int a, int b, int c) {
  apex_.erase({a, b});
  apex_.erase({b, c});
  apex_.erase({c, a});
}

int FaceTriangulation::ApexOf(int a, int b) const {
  const auto found = apex_.find({a, b});
  return found == apex_.end() ? kNone : found->second;
}

void FaceTriangulation::InsertPoint(int p) {
  const auto at = apex_.lower_bound({p, std::numeric_limits<int>::min()});
  if (at != apex_.end() && at->first.first == p) return;
  for (const auto& [edge, c] : apex_) {
    const auto [a, b] = edge;
    if (a > b || a > c) continue;
    const int ab = Side(a, b, p), bc = Side(b, c, p), ca = Side(c, a, p);
    if (ab < 0 || bc < 0 || ca < 0) continue;
    if (ab == 0) return SplitEdge(a, b, p);
    if (bc == 0) return SplitEdge(b, c, p);
    if (ca == 0) return SplitEdge(c, a, p);
    const Triangle around = {a, b, c};
    RemoveTriangle(around[0], around[1], around[2]);
    for (int i = 0; i < 3; ++i) AddTriangle(around[i], around[(i + 1) % 3], p);
    return;
  }
}

void FaceTriangulation::SplitEdge(int a, int b, int p) {
  for (int side = 0; side < 2; ++side, std::swap(a, b)) {
    const int c = ApexOf(a, b);
    if (c == kNone) continue;
    RemoveTriangle(a, b, c);
    AddTriangle(a, p, c);
    AddTriangle(p, b, c);
  }
}

// The edges between a and b that the straight line from a to b crosses, none where it is an edge.
std::vector<FaceTriangulation::Edge> FaceTriangulation::EdgesAcross(int a, int b) const {
  std::vector<Edge> edges;
  if (ApexOf(a, b) != kNone || ApexOf(b, a) != kNone) return edges;
  int right = kNone, left = kNone;
  for (auto at = apex_.lower_bound({a, std::numeric_limits<int>::min()});
       at != apex_.end() && at->first.first == a; ++at) {
    if (Side(a, at->first.second, b) <= 0 || Side(a, at->second, b) >= 0) continue;
    right = at->first.second;
    left = at->second;
  }
  while (right != kNone) {
    edges.emplace_back(right, left);
    const int next = ApexOf(left, right);
    if (next == b || next == kNone) break;
    (Side(a, b, next) > 0 ? left : right) = next;
  }
  return edges;
}

bool FaceTriangulation::IsFlippable(int a, int b) const {
  const int left = ApexOf(a, b), right = ApexOf(b, a);
  return left != kNone && right != kNone && Side(right, left, a) * Side(right, left, b) < 0;
}

void FaceTriangulation::Flip(int a, int b) {
  const int left = ApexOf(a, b), right = ApexOf(b, a);
  RemoveTriangle(a, b, left);
  RemoveTriangle(b, a, right);
  AddTriangle(right, left, a);
  AddTriangle(left, right, b);
}

// By flips of the edges across it, as Sloan (1993) has it.
void FaceTriangulation::InsertEdge(int a, int b) {
  const std::vector<Edge> across = EdgesAcross(a, b);
  std::deque<Edge> edges(across.begin(), across.end());
  while (!edges.empty()) {
    const auto [right, left] = edges.front();
    edges.pop_front();
    if (!IsFlippable(right, left)) {
      edges.emplace_back(right, left);
      continue;
    }
    const int p = ApexOf(right, left), q = ApexOf(left, right);
    Flip(right, left);
    const bool is_across =
        p != a && p != b && q != a && q != b && Side(a, b, p) * Side(a, b, q) < 0;
    if (is_across) edges.push_back(Side(a, b, p) > 0 ? Edge{q, p} : Edge{p, q});
  }
}

// Where the other diagonal of two triangles is shorter it takes the place of the edge between them:
// fewer needles. The sum of the lengths falls with each, which ends it.
void FaceTriangulation::ShortenEdges() {
  std::vector<Edge> edges;
  for (const auto& [edge, apex] : apex_) {
    if (edge.first < edge.second) edges.push_back(edge);
  }
  const auto length = [&](int p, int q) {
    return (points_->rounded(p) - points_->rounded(q)).norm();
  };
  while (!edges.empty()) {
    const auto [a, b] = edges.back();
    edges.pop_back();
    if (std::binary_search(cuts_.begin(), cuts_.end(), Edge(a, b))) continue;
    const int left = ApexOf(a, b), right = ApexOf(b, a);
    if (left == kNone || right == kNone) continue;
    if (!(length(left, right) < length(a, b)) || !IsFlippable(a, b)) continue;
    Flip(a, b);
    for (const int p : {a, b}) {
      edges.push_back(std::minmax(p, left));
      edges.push_back(std::minmax(p, right));
    }
  }
}

}  // namespace volcontact
