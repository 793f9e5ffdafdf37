// Where the structure of slices changes from slice to slice.
#include <algorithm>
#include <cmath>

#include "overlap/columns/column_quadrature.h"
#include "overlap/columns/common_point.h"

namespace volcontact {
namespace {

// Meeting points are searched so often between two slices: Newton's method finds one from nearby,
// and only where a single event is left.
constexpr int kMaxSearches = 4;
// Bound of the inverse square root of the rate at which a piece grows next to a tangency.
constexpr double kHidden = 8.0;

// How far a structure is from turning into another one: the width over which its boundaries that
// have no counterpart are spread; it vanishes at the event. `root_like`: two boundaries that merge
// and vanish, whose distance goes like a square root.
struct Gap {
  double width = 0.0;
  bool root_like = false;
};

// The boundaries of one structure that have no counterpart in another: those from `first` on, up to
// so many before the end.
struct Unmatched {
  std::size_t head, tail;
};

Unmatched FindUnmatched(const SliceStructure& from, const SliceStructure& to) {
  const auto label = [](const SliceStructure& s, std::size_t i) {
    return std::pair(s.pieces[i].signature, s.pieces[i + 1].signature);
  };
  const std::size_t n = from.boundaries.size(), m = to.boundaries.size();
  std::size_t head = 0, tail = 0;
  while (head < std::min(n, m) && label(from, head) == label(to, head)) ++head;
  while (tail < std::min(n, m) - head && label(from, n - 1 - tail) == label(to, m - 1 - tail)) {
    ++tail;
  }
  return {head, tail};
}

Gap GapTowards(const SliceStructure& from, const SliceStructure& to) {
  const std::size_t n = from.boundaries.size(), m = to.boundaries.size();
  const auto [head, tail] = FindUnmatched(from, to);
  const std::size_t middle = n - head - tail;
  if (middle == 0) return {};
  const double first = from.boundaries[head].v, last = from.boundaries[n - 1 - tail].v;
  if (middle == 1)
    return {std::min(first - from.pieces.front().v0, from.pieces.back().v1 - first), false};
  return {last - first, m == head + tail};
}

// Predicts where the gap seen at two points vanishes; nothing when it does not shrink towards
// `towards`.
bool Extrapolate(double xa, Gap a, double xb, Gap b, double* x) {
  if (a.width <= 0.0 || b.width <= 0.0 || a.root_like != b.root_like) return false;
  const double ga = a.root_like ? a.width * a.width : a.width;
  const double gb = b.root_like ? b.width * b.width : b.width;
  if (!(gb < ga)) return false;
  *x = xb + (xb - xa) * gb / (ga - gb);
  return true;
}

// What holds on a boundary between pieces of slices.
void AddEquations(const EventSource& source, PointEquations* equations) {
  equations->Add({source.i, false});
  if (source.kind == EventSource::Kind::kSilhouette) equations->Add({source.i, true});
  if (source.kind == EventSource::Kind::kPair) equations->Add({source.j, false});
}

}  // namespace

// Where the boundaries by which two structures differ meet in one point of space, or, if they lie
// on one curve, where the curve turns back: so they do at the event between the two if it is the
// only one.
bool ColumnQuadrature::FindMeetingPoint(const Probe& left, const Probe& right, Break* meeting) {
  PointEquations equations;
  const SliceStructure *near = nullptr, *sides[2] = {&left.structure, &right.structure};
  std::size_t fewest = 0, boundary = 0;
  for (int side = 0; side < 2; ++side) {
    const SliceStructure& from = *sides[side];
    const auto [head, tail] = FindUnmatched(from, *sides[1 - side]);
    const std::size_t end = from.boundaries.size() - tail;
    for (std::size_t n = head; n < end; ++n) {
      if (from.boundaries[n].source < 0) return false;
      AddEquations(sources_[from.boundaries[n].source], &equations);
    }
    if (end == head || (near != nullptr && end - head >= fewest)) continue;
    near = &from;
    fewest = end - head;
    boundary = head;
  }
  if (near == nullptr) return false;
  // Starts from a point on a boundary; its height is that of a surface that bounds a piece there.
  const SliceFamily& family = options_.family;
  const double start = near == &left.structure ? left.x : right.x;
  const Eigen::Vector2d base = family.Base(start), direction = family.Direction(start);
  const double v = near->boundaries[boundary].v;
  const Piece& before = near->pieces[boundary];
  const Piece& inside = before.signature != 0 ? before : near->pieces[boundary + 1];
  slice_.MoveTo(base, direction);
  slice_.FindColumn(v + 0.01 * (0.5 * (inside.v0 + inside.v1) - v), &column_);
  const EventSource& source = sources_[near->boundaries[boundary].source];
  double z = 0.0;
  for (const ColumnEnd& end : column_.ends) {
    if (end.surface == source.i || end.surface == source.j) z = end.z;
  }
  const Eigen::Vector2d foot = base + v * direction;
  Eigen::Vector3d point(foot.x(), foot.y(), z);
  if (!FindCommonPoint(*problem_, family, equations, &point)) return false;
  // Where a surface hides the silhouette of another the piece between them grows with the square of
  // the distance, and slices do not show pieces that are narrow. Across a whole box, where narrow
  // pieces at silhouettes may carry area, the place is searched as slices show it.
  const bool tangent = std::any_of(equations.list.begin(), equations.list.begin() + equations.count,
                                   [](const PointEquation& equation) { return equation.slope; });
  const double hidden = tangent && options_.family.polar() ? kHidden * std::sqrt(narrow_) : 0.0;
  // Slices across a whole box meet events of all kinds close together, next to any of which nodes
  // had better be dense; around the axis of a convex region they are few.
  const bool corner = equations.count == 3 && family.polar();
  *meeting = {family.ParameterOf(point.x(), point.y()), corner,
              std::max(0.4 * resolution_, hidden)};
  return meeting->x > left.x && meeting->x < right.x;
}

// Where the gap between boundaries is going to vanish, as seen from two slices on one side of the
// event; `beyond` tells on which side of that place to look next.
bool ColumnQuadrature::FollowGap(const Probe& previous, const Probe& near, const Probe& far,
                                 bool beyond, double* x) const {
  double target;
  if (!Extrapolate(previous.x, GapTowards(previous.structure, far.structure), near.x,
                   GapTowards(near.structure, far.structure), &target)) {
    return false;
  }
  const double margin = std::max(0.02 * std::abs(target - near.x), 0.4 * resolution_);
  *x = target + ((far.x > near.x) == beyond ? margin : -margin);
  return true;
}

// Narrows the interval between two slices of different structure, and cuts it where more than one
// event lies within.
void ColumnQuadrature::LocateEvent(Probe* left, Probe* right, int depth) {
  Probe &trial = scratch_[depth].trial, &middle = scratch_[depth].middle;
  Probe& previous = scratch_[depth].previous;  // earlier, on the side whose gap is followed
  bool have_previous = false, previous_left = false;
  bool beyond = true;
  int stalled = 0;
  Break meeting{};
  bool met = false;
  int sides = 0, searches = 0;  // of the meeting point, still to be looked at
  while (right->x - left->x > resolution_ && !AreBreaksGivenUp()) {
    const double width = right->x - left->x;
    double x = 0.5 * (left->x + right->x), target = left->x;
    if (sides == 0 && searches < kMaxSearches) {
      ++searches;
      if (FindMeetingPoint(*left, *right, &meeting)) sides = 2;
    }
    if (sides > 0) {
      target = meeting.x + (sides == 2 ? -meeting.margin : meeting.margin);
      --sides;
    } else if (have_previous && stalled < 2 &&
               FollowGap(previous, previous_left ? *left : *right, previous_left ? *right : *left,
                         beyond, &target)) {
      beyond = !beyond;
    }
    if (target > left->x && target < right->x) x = target;
    trial.x = x;
    FindStructureAt(x, &trial.structure);
    const bool as_left = trial.structure.SameAs(left->structure);
    const bool as_right = trial.structure.SameAs(right->structure);
    if (!as_left && !as_right) {
      if (depth <= 0) break;
      middle = trial;
      LocateEvent(left, &trial, depth - 1);
      LocateEvent(&middle, right, depth - 1);
      return;
    }
    Probe* replaced = as_left ? left : right;
    const Gap gap = GapTowards(replaced->structure, (as_left ? right : left)->structure);
    if (gap.width > 0.0) {
      previous = *replaced;
      have_previous = true;
      previous_left = as_left;
    }
    *replaced = trial;
    stalled = right->x - left->x > 0.5 * width ? stalled + 1 : 0;
    if (stalled > 3) stalled = 0;
    met = meeting.x > left->x && meeting.x < right->x;
    if (met && right->x - left->x < 2.1 * meeting.margin) break;
  }
  breaks_.push_back(met ? meeting : Break{0.5 * (left->x + right->x), false, resolution_});
}

}  // namespace volcontact
