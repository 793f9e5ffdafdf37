#include "overlap/arcs/projection/rim_stretches.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "overlap/arcs/curves/whole_curve.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Ends that are seen no farther apart, in the cube, are in one place.
constexpr double kSameEnd = 1e-9;
// Stretches that leave a place at no larger angle, in radians, may lie on either side of each
// other.
constexpr double kLeastTurnApart = 1e-5;
// Stretches, and sets, that one thread takes at a time.
constexpr std::size_t kStretchesOfTask = 64, kSetsOfTask = 4;
// With fewer there is less to do than to wake threads takes.
constexpr std::size_t kFewStretches = 256;
// Where lines are asked of a stretch that others may cross unseen, as parts of it.
constexpr std::array<double, 3> kAskedAlong = {0.1, 0.5, 0.9};

}  // namespace

// Stretches, with their two ends one after the other.
void RimStretches::Cut(const std::vector<ContourPart>& contour, const ContourCrossings& crossings) {
  stretches_.clear();
  ends_.clear();
  for (std::size_t n = 0; n < contour.size(); ++n) {
    const ContourPart& part = contour[n];
    const double jump = 0.5 * std::abs(part.count);
    const int step = jump == std::floor(jump) ? static_cast<int>(jump) : 0;
    const std::span<const double> places = crossings.Of(n);
    CurvePoint point;
    part.curves->PointOn(part.curve, part.from, &point);
    double from = part.from;
    for (std::size_t k = 0; k <= places.size(); ++k) {
      const double to = k < places.size() ? places[k] : part.to;
      const int stretch = static_cast<int>(stretches_.size());
      const Vector2d begin = view_ * point.p, way = view_ * point.derivative;
      part.curves->PointOn(part.curve, to, &point);
      const Vector2d end = view_ * point.p, back = -(view_ * point.derivative);
      ends_.push_back({begin, way, stretch, part.count > 0.0, part.is_inner});
      ends_.push_back({end, back, stretch, part.count < 0.0, part.is_inner});
      stretches_.push_back({n, from, to, (end - begin).norm(), step, crossings.IsAmbiguous(n),
                            part.is_inner ? State::kCovered : State::kOpen});
      from = to;
    }
  }
}

// Puts the ends of each place one after the other.
void RimStretches::FindPlaces() {
  across_.clear();
  for (const End& end : ends_) across_.emplace_back(end.p[0], static_cast<int>(across_.size()));
  std::sort(across_.begin(), across_.end());
  joined_.Reset(static_cast<int>(ends_.size()));
  for (std::size_t m = 0; m < across_.size(); ++m) {
    const auto [x, first] = across_[m];
    for (std::size_t n = m + 1; n < across_.size() && across_[n].first - x <= kSameEnd; ++n) {
      const int second = across_[n].second;
      if (std::abs(ends_[second].p[1] - ends_[first].p[1]) <= kSameEnd) joined_.Join(first, second);
    }
  }
  by_place_.clear();
  for (int n = 0; n < static_cast<int>(ends_.size()); ++n) {
    by_place_.emplace_back(joined_.Find(n), n);
  }
  std::sort(by_place_.begin(), by_place_.end());
}

// Sorts the ends of a place by their angle. False where two of them may lie on either side of each
// other.
bool RimStretches::SortAround() {
  for (auto& [angle, end] : around_) angle = std::atan2(ends_[end].way[1], ends_[end].way[0]);
  std::sort(around_.begin(), around_.end());
  double before = around_.back().first - kFullTurn;
  for (const auto& [angle, end] : around_) {
    if (!(angle - before > kLeastTurnApart)) return false;
    before = angle;
  }
  return true;
}

// Joins the stretches that end in one place and have a sector on the right of both, and marks those
// that have a sector on their right that is on the left of the other, where it is certain in which
// order they lie about it and that none is missing.
void RimStretches::GoAround() {
  int sum = 0;
  for (const auto& [angle, end] : around_) {
    const Stretch& stretch = stretches_[ends_[end].stretch];
    if (stretch.step == 0 || !(stretch.length > kSameEnd)) return;
    sum += ends_[end].is_begin ? stretch.step : -stretch.step;
  }
  if (sum != 0 || around_.size() < 2 || (around_.size() > 2 && !SortAround())) return;
  const End* before = &ends_[around_.back().second];
  for (const auto& [angle, number] : around_) {
    const End& end = ends_[number];
    Stretch &one = stretches_[before->stretch], &other = stretches_[end.stretch];
    const bool is_covered = before->CoversBehind() || end.CoversBefore();
    if (is_covered && !before->CoversBehind() && !one.is_ambiguous) one.state = State::kCovered;
    if (is_covered && !end.CoversBefore() && !other.is_ambiguous) other.state = State::kCovered;
    if (!is_covered && !one.is_ambiguous && !other.is_ambiguous)
      joined_.Join(before->stretch, end.stretch);
    before = &end;
  }
}

void RimStretches::JoinStretches() {
  joined_.Reset(static_cast<int>(stretches_.size()));
  for (std::size_t n = 0; n < by_place_.size();) {
    const int place = by_place_[n].first;
    around_.clear();
    for (; n < by_place_.size() && by_place_[n].first == place; ++n) {
      around_.emplace_back(0.0, by_place_[n].second);
    }
    GoAround();
  }
  for (std::size_t n = 0; n < stretches_.size(); ++n) {
    const int set = joined_.Find(static_cast<int>(n));
    if (stretches_[n].state == State::kCovered && !(*contour_)[stretches_[n].part].is_inner)
      stretches_[set].state = State::kCovered;
  }
}

void RimStretches::Take(int stretch, Longest* longest) const {
  const auto is_longer = [&](int other) {
    return stretches_[stretch].length > stretches_[other].length;
  };
  int place = longest->count;
  while (place > 0 && is_longer(longest->asked[place - 1])) --place;
  const int most = static_cast<int>(longest->asked.size());
  if (place == most) return;
  longest->count = std::min(longest->count + 1, most);
  for (int k = longest->count - 1; k > place; --k) longest->asked[k] = longest->asked[k - 1];
  longest->asked[place] = stretch;
}

// The sets that are open, and of each the longest stretches; and of all others of these, and of
// what needs no line, the longest.
void RimStretches::FindSets() {
  sets_.assign(stretches_.size(), {});
  confirming_ = {};
  by_set_.clear();
  for (int n = 0; n < static_cast<int>(stretches_.size()); ++n) {
    Stretch& stretch = stretches_[n];
    if ((*contour_)[stretch.part].is_inner) continue;
    const int set = joined_.Find(n);
    if (stretches_[set].state == State::kCovered) {
      stretch.state = State::kCovered;
      Take(n, &confirming_);
    } else {
      Take(n, &sets_[set]);
      by_set_.emplace_back(set, n);
    }
  }
  for (const Longest& longest : sets_) {
    for (int k = 1; k < longest.count; ++k) Take(longest.asked[k], &confirming_);
  }
  std::sort(by_set_.begin(), by_set_.end());
  begin_.clear();
  for (std::size_t n = 0; n < by_set_.size(); ++n) {
    if (n == 0 || by_set_[n].first != by_set_[n - 1].first) begin_.push_back(n);
  }
  begin_.push_back(by_set_.size());
}

// Whether a line right beside a stretch meets the region. It runs outside: inside, what begins at
// the contour is too thin to be seen.
bool RimStretches::IsCovered(const Stretch& stretch, double share) const {
  return sweep_->CountOutside((*contour_)[stretch.part],
                              stretch.from + share * (stretch.to - stretch.from)) > 0;
}

// What lines beside a stretch decide by themselves: kOpen, if they do not agree.
auto RimStretches::Ask(const Stretch& stretch) const -> State {
  const bool is_covered = IsCovered(stretch, 0.5);
  if (stretch.is_ambiguous) {
    for (const double share : kAskedAlong) {
      if (IsCovered(stretch, share) != is_covered) return State::kOpen;
    }
  }
  return is_covered ? State::kCovered : State::kRim;
}

// Asks a line of a set, and those that confirm it; where they do not agree, of each of its
// stretches.
void RimStretches::AskLines(std::size_t set) {
  const std::span<const std::pair<int, int>> members(by_set_.data() + begin_[set],
                                                     by_set_.data() + begin_[set + 1]);
  const Longest& longest = sets_[members.front().first];
  const State state = Ask(stretches_[longest.asked[0]]);
  bool do_agree = true;
  const auto asked_end = confirming_.asked.begin() + confirming_.count;
  for (int k = 1; k < longest.count && do_agree; ++k) {
    const int n = longest.asked[k];
    if (std::find(confirming_.asked.begin(), asked_end, n) != asked_end)
      do_agree = Ask(stretches_[n]) == state;
  }
  for (const auto& [root, n] : members) {
    stretches_[n].state = do_agree ? state : Ask(stretches_[n]);
  }
}

// Whether lines agree with what needed none.
bool RimStretches::AreMarkedCovered() const {
  return std::all_of(
      confirming_.asked.begin(), confirming_.asked.begin() + confirming_.count, [&](int n) {
        return stretches_[n].state != State::kCovered || IsCovered(stretches_[n], 0.5);
      });
}

std::optional<RimSweep::Swept> RimStretches::Run(const Vector3d& along,
                                                 const std::vector<ContourPart>& contour,
                                                 const ContourCrossings& crossings,
                                                 const RimSweep& sweep, int threads) {
  contour_ = &contour;
  sweep_ = &sweep;
  view_ = ViewAlong(along.normalized(), along.unitOrthogonal());
  Cut(contour, crossings);
  FindPlaces();
  JoinStretches();
  FindSets();
  if (!AreMarkedCovered()) return std::nullopt;
  const int worth = stretches_.size() < kFewStretches ? 1 : threads;
  ParallelForParts(begin_.size() - 1, kSetsOfTask, worth,
                   [&](std::size_t, std::size_t begin, std::size_t end, int) {
                     for (std::size_t n = begin; n < end; ++n) AskLines(n);
                   });
  // Beside one of two that nearly coincide a line runs outside of both, or between them.
  const auto is_unknown = [](const Stretch& stretch) {
    return stretch.state == State::kOpen ||
           (stretch.state == State::kRim && (stretch.step == 0 || stretch.is_ambiguous));
  };
  if (std::any_of(stretches_.begin(), stretches_.end(), is_unknown)) return std::nullopt;
  swept_.assign(stretches_.size(), {});
  ParallelForParts(stretches_.size(), kStretchesOfTask, worth,
                   [&](std::size_t, std::size_t begin, std::size_t end, int) {
                     for (std::size_t n = begin; n < end; ++n) {
                       const Stretch& at = stretches_[n];
                       if (at.state != State::kRim) continue;
                       swept_[n] = sweep.Between(contour[at.part], at.from, at.to, 1.0 / at.step);
                     }
                   });
  RimSweep::Swept sum;
  for (const RimSweep::Swept& swept : swept_) sum.Add(swept);
  return sum;
}

}  // namespace volcontact
