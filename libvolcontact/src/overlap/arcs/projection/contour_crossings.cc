#include "overlap/arcs/projection/contour_crossings.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "math/parallel.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Half of a curve is off its cubic by less than this part of what the whole is off. That grows with
// the fourth power of the length.
constexpr double kHalfCubicError = 0.08;
// A curve is off its cubic by no more than so many times what it is off in the middle.
constexpr double kOffBesideMiddle = 3.0;
// What counts as one point; a part too short to be seen.
constexpr double kSamePlace = 1e-9, kUnseen = 1e-9;
// Arcs that differ in direction by more than this everywhere cross once at most.
constexpr double kLeastAngle = 1e-4;
// How often one of two arcs is halved that may cross more often.
constexpr int kMostArcHalvings = 18;
constexpr int kMostCrossingSteps = 12;
constexpr double kCrossed = 1e-13, kCubicPrecision = 1e-6;
// A place of a curve that is no farther beyond an end of an arc, in parts of it, belongs to the arc
// or the next.
constexpr double kBeyondEnds = 0.5;
// Arcs, and parts of the contour, that are worth handing to threads.
constexpr std::size_t kManyArcs = 48, kManyContourParts = 24;

}  // namespace

ContourCrossings::Seen ContourCrossings::At(int part, double u, Finds* finds) const {
  const ContourPart& of = (*parts_)[part];
  CurvePoint point;
  finds->is_lost |= !of.curves->PointOn(of.curve, u, &point);
  return {u, view_ * point.p, view_ * point.derivative};
}

ContourCrossings::Arc ContourCrossings::ArcBetween(int part, const Seen& start, const Seen& end,
                                                   double most_off, Finds* finds) const {
  const double third = (end.u - start.u) / 3.0;
  const Seen middle = At(part, 0.5 * (start.u + end.u), finds);
  Arc arc = {part, start, middle, end, {}, {}, {}};
  arc.cubic.control = {start.p, start.p + third * start.derivative, end.p - third * end.derivative,
                       end.p};
  const Vector2d chord = (end.p - start.p) / 3.0;
  const double bend = std::max((arc.cubic.control[1] - start.p - chord).cwiseAbs().maxCoeff(),
                               (arc.cubic.control[2] - end.p + chord).cwiseAbs().maxCoeff());
  const auto [middle_of_cubic, way] = OnCubic(arc.cubic.control, 0.5);
  const double off = std::abs(Cross2(middle.p - middle_of_cubic, way)) / way.norm();
  // A curve that bends sharply near an end is farther off than its ends let expect.
  arc.cubic.slack =
      std::max(std::min(kCubicError * bend, most_off), kOffBesideMiddle * off) + kPlaneRounding;
  arc.low = arc.high = start.p;
  for (const Vector2d& p : arc.cubic.control) {
    arc.low = arc.low.cwiseMin(p);
    arc.high = arc.high.cwiseMax(p);
  }
  arc.low.array() -= arc.cubic.slack;
  arc.high.array() += arc.cubic.slack;
  return arc;
}

void ContourCrossings::AddArcs(int part, Finds* finds) const {
  std::vector<Arc>& arcs = finds->arcs;
  const ContourPart& of = (*parts_)[part];
  if (of.is_inner) return;
  const int count = of.curves->ArcsOf(of.curve, of.from, of.to);
  const std::size_t first = arcs.size();
  Seen start = At(part, of.from, finds);
  for (int n = 1; n <= count; ++n) {
    const double u = n == count ? of.to : of.from + (of.to - of.from) * n / count;
    const Seen end = At(part, u, finds);
    arcs.push_back(ArcBetween(part, start, end, std::numeric_limits<double>::infinity(), finds));
    start = end;
  }
  // Seen from its end, a line is a point, and sweeps nothing.
  const bool is_unseen = std::all_of(arcs.begin() + first, arcs.end(), [](const Arc& arc) {
    return (arc.high - arc.low).maxCoeff() < kUnseen;
  });
  if (is_unseen) arcs.resize(first);
}

bool ContourCrossings::IsEndOf(int part, double u) const {
  const ContourPart& of = (*parts_)[part];
  return u - of.from < kSamePlace || of.to - u < kSamePlace;
}

// Of two arcs that end in one point, at which their parts end, too, the cubics from there.
auto ContourCrossings::FromSharedEnd(const Arc& first, const Arc& second) const
    -> std::optional<std::array<PlaneCubic, 2>> {
  const auto from = [](const Arc& arc, const Seen* seen) {
    return seen == &arc.start ? arc.cubic : arc.cubic.Reversed();
  };
  for (const Seen* a : {&first.start, &first.end}) {
    if (!IsEndOf(first.part, a->u)) continue;
    for (const Seen* b : {&second.start, &second.end}) {
      if ((a->p - b->p).cwiseAbs().maxCoeff() < kSamePlace && IsEndOf(second.part, b->u))
        return std::array<PlaneCubic, 2>{from(first, a), from(second, b)};
    }
  }
  return std::nullopt;
}

// Where the cubics of two arcs meet whose directions all differ. Newton's method does not leave the
// arcs. If it stays at an end, the tangents meet beyond it: then so would the arcs.
auto ContourCrossings::MeetingOfCubics(const Arc& first, const Arc& second) -> CubicMeeting {
  const double size =
      std::max((first.high - first.low).maxCoeff(), (second.high - second.low).maxCoeff());
  Vector2d place(0.5, 0.5);
  for (int step = 0; step < kMostCrossingSteps; ++step) {
    const auto [p, dp] = OnCubic(first.cubic.control, place[0]);
    const auto [q, dq] = OnCubic(second.cubic.control, place[1]);
    const Vector2d gap = q - p;
    const double determinant = Cross2(dp, dq);
    if (determinant == 0.0) break;
    const Vector2d change(Cross2(gap, dq) / determinant, Cross2(gap, dp) / determinant);
    const Vector2d before = place, beyond = place + change;
    place = beyond.cwiseMax(0.0).cwiseMin(1.0);
    if ((place - before).cwiseAbs().maxCoeff() >= kCubicPrecision) continue;
    const Vector2d speed(dp.norm(), dq.norm());
    const double sine = std::abs(determinant) / speed.prod();
    const double unsure = (first.cubic.slack + second.cubic.slack + kCubicPrecision * size) / sine;
    const Vector2d margin = unsure * speed.cwiseInverse();
    const bool is_within =
        (beyond + margin).minCoeff() >= 0.0 && (beyond - margin).maxCoeff() <= 1.0;
    return {true, is_within ? std::optional(place) : std::nullopt};
  }
  return {};
}

// Finds where two arcs meet that cross once at most, near a place given as parts of them; false if
// that cannot be decided.
bool ContourCrossings::MeetNear(const Vector2d& place, const Arc& first, const Arc& second,
                                Finds* finds) const {
  const ContourPart &of_u = (*parts_)[first.part], &of_v = (*parts_)[second.part];
  const double length_u = first.end.u - first.start.u, length_v = second.end.u - second.start.u;
  double u = first.start.u + place[0] * length_u, v = second.start.u + place[1] * length_v;
  double gap = 1.0, sine = 0.0;
  for (int step = 0; step < kMostCrossingSteps; ++step) {
    u = std::clamp(u, of_u.from, of_u.to);
    v = std::clamp(v, of_v.from, of_v.to);
    const Seen a = At(first.part, u, finds), b = At(second.part, v, finds);
    const double determinant = Cross2(a.derivative, b.derivative);
    if (determinant == 0.0 || finds->is_lost) return false;
    sine = std::abs(determinant) / (a.derivative.norm() * b.derivative.norm());
    gap = (b.p - a.p).cwiseAbs().maxCoeff();
    if (gap < kCrossed) break;
    u += Cross2(b.p - a.p, b.derivative) / determinant;
    v += Cross2(b.p - a.p, a.derivative) / determinant;
  }
  const auto is_on_arcs = [&](double beyond_ends) {
    const double margin_u = beyond_ends * length_u, margin_v = beyond_ends * length_v;
    return u >= first.start.u - margin_u && u <= first.end.u + margin_u &&
           v >= second.start.u - margin_v && v <= second.end.u + margin_v;
  };
  const bool are_near = is_on_arcs(kBeyondEnds);
  const bool is_end_of_u = IsEndOf(first.part, u), is_end_of_v = IsEndOf(second.part, v);
  // One ends before the other, or it is not known where they meet.
  if (gap > kSamePlace) return are_near && (is_end_of_u || is_end_of_v);
  // Beyond their ends neighbours meet, whose cubics may miss that. If they cross at a small angle,
  // the place would not be known to be the same. Where both end they meet, and do not cross.
  const bool is_taken = sine > kLeastAngle || is_on_arcs(kSamePlace);
  if (is_taken && !(is_end_of_u && is_end_of_v)) {
    finds->crossings.push_back({first.part, u});
    finds->crossings.push_back({second.part, v});
  }
  return are_near;
}

// The curve of an arc, by parts of it.
class ContourCrossings::CurveOfArc final : public CurveOfCubic {
 public:
  CurveOfArc(const ContourCrossings& crossings, const Arc& arc, Finds* finds)
      : crossings_(crossings), arc_(arc), finds_(finds) {}
  std::pair<Vector2d, Vector2d> At(double t) const override {
    const double length = arc_.end.u - arc_.start.u;
    const Seen seen = crossings_.At(arc_.part, arc_.start.u + t * length, finds_);
    return {seen.p, length * seen.derivative};
  }

 private:
  const ContourCrossings& crossings_;
  const Arc& arc_;
  Finds* finds_;
};

// Finds all crossings of two arcs; false when they may cross where it is not seen.
bool ContourCrossings::Cross(const Arc& first, const Arc& second, int depth, Finds* finds) const {
  if ((first.low.array() > second.high.array()).any() ||
      (second.low.array() > first.high.array()).any())
    return true;
  for (const Arc* arc : {&first, &second}) {
    const Vector2d chord = (arc->end.p - arc->start.p).normalized();
    const Vector2d normal(-chord[1], chord[0]);
    const Span one = SpanAlong(first.cubic, normal);
    const Span other = SpanAlong(second.cubic, normal);
    if (one.low > other.high || other.low > one.high) return true;
  }
  const auto from_end = FromSharedEnd(first, second);
  if (from_end && DepartApart((*from_end)[0], (*from_end)[1])) return true;
  const CurvesBeside beside = CompareBeside(
      first.cubic, second.cubic, CurveOfArc(*this, first, finds), CurveOfArc(*this, second, finds));
  if (beside.are_apart) return true;
  // An outline and the edge that it ends at leave their end together; parts beyond decide.
  if (beside.are_together && !from_end) return false;
  if (beside.crossing && MeetNear(*beside.crossing, first, second, finds)) return true;
  double least = 1.0, most = -1.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector2d a = (first.cubic.control[i + 1] - first.cubic.control[i]).normalized();
    for (std::size_t j = 0; j < 3; ++j) {
      const double sine =
          Cross2(a, (second.cubic.control[j + 1] - second.cubic.control[j]).normalized());
      least = std::min(least, sine);
      most = std::max(most, sine);
    }
  }
  if (least > kLeastAngle || most < -kLeastAngle) {
    const CubicMeeting meeting = MeetingOfCubics(first, second);
    const auto meets = [&] { return MeetNear(*meeting.place, first, second, finds); };
    if (meeting.is_decided && (!meeting.place || meets())) return true;
  }
  if (depth == kMostArcHalvings) return from_end.has_value();
  const auto size = [](const Arc& arc) { return (arc.high - arc.low).maxCoeff(); };
  const bool is_first_longer = size(first) > size(second);
  const Arc &longer = is_first_longer ? first : second, &other = is_first_longer ? second : first;
  const auto half = [&](const Seen& from, const Seen& to) {
    return ArcBetween(longer.part, from, to, kHalfCubicError * longer.cubic.slack, finds);
  };
  return Cross(half(longer.start, longer.middle), other, depth + 1, finds) &&
         Cross(half(longer.middle, longer.end), other, depth + 1, finds);
}

// By part and place, each place once.
void ContourCrossings::Sort() {
  std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& a, const Crossing& b) {
    return a.part != b.part ? a.part < b.part : a.u < b.u;
  });
  places_.clear();
  begin_.assign(parts_->size() + 1, 0);
  std::size_t n = 0;
  for (std::size_t part = 0; part < parts_->size(); ++part) {
    begin_[part] = places_.size();
    for (; n < crossings_.size() && crossings_[n].part == static_cast<int>(part); ++n) {
      const double u = crossings_[n].u;
      if (places_.size() == begin_[part] || u - places_.back() > kSamePlace) places_.push_back(u);
    }
  }
  begin_.back() = places_.size();
}

void ContourCrossings::Run(const Vector3d& along, const std::vector<ContourPart>& parts,
                           int threads) {
  parts_ = &parts;
  view_ = ViewAlong(along.normalized(), along.unitOrthogonal());
  arcs_.clear();
  finds_.resize(std::max(finds_.size(), static_cast<std::size_t>(std::max(1, threads))));
  for (Finds& finds : finds_) {
    finds.arcs.clear();
    finds.crossings.clear();
    finds.ambiguous.clear();
  }
  ParallelFor(
      parts.size(), parts.size() < kManyContourParts ? 1 : threads,
      [&](std::size_t part, int worker) { AddArcs(static_cast<int>(part), &finds_[worker]); });
  for (const Finds& finds : finds_) {
    arcs_.insert(arcs_.end(), finds.arcs.begin(), finds.arcs.end());
  }
  boxes_.clear();
  for (const Arc& arc : arcs_) boxes_.push_back({arc.low, arc.high, boxes_.size()});
  std::sort(boxes_.begin(), boxes_.end(), [this](const ArcBox& a, const ArcBox& b) {
    const Arc &first = arcs_[a.arc], &second = arcs_[b.arc];
    return std::tie(a.low[0], first.part, first.start.u) <
           std::tie(b.low[0], second.part, second.start.u);
  });
  ParallelFor(boxes_.size(), boxes_.size() < kManyArcs ? 1 : threads,
              [&](std::size_t box, int worker) { CrossOthers(box, &finds_[worker]); });
  crossings_.clear();
  is_ambiguous_.assign(parts.size(), 0);
  are_all_found_ = true;
  for (const Finds& finds : finds_) {
    crossings_.insert(crossings_.end(), finds.crossings.begin(), finds.crossings.end());
    are_all_found_ = are_all_found_ && finds.ambiguous.empty();
    for (const int part : finds.ambiguous) is_ambiguous_[part] = 1;
  }
  Sort();
}

// Finds where an arc crosses those after it.
void ContourCrossings::CrossOthers(std::size_t box, Finds* finds) const {
  const ArcBox& at = boxes_[box];
  const Arc& first = arcs_[at.arc];
  for (std::size_t n = box + 1; n < boxes_.size() && boxes_[n].low[0] <= at.high[0]; ++n) {
    if (boxes_[n].low[1] > at.high[1] || at.low[1] > boxes_[n].high[1]) continue;
    const Arc& second = arcs_[boxes_[n].arc];
    const bool is_adjacent = first.part == second.part &&
                             (first.start.u == second.end.u || first.end.u == second.start.u);
    finds->is_lost = false;
    if (is_adjacent || (Cross(first, second, 0, finds) && !finds->is_lost)) continue;
    finds->ambiguous.push_back(first.part);
    finds->ambiguous.push_back(second.part);
  }
}

}  // namespace volcontact
