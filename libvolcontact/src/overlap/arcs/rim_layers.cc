#include "overlap/arcs/rim_layers.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "overlap/arcs/whole_curve.h"

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

}  // namespace

// Stretches, with their two ends one after the other.
void RimLayers::Cut(const std::vector<ContourPart>& contour, const ContourCrossings& crossings) {
  stretches_.clear();
  ends_.clear();
  for (std::size_t n = 0; n < contour.size(); ++n) {
    const ContourPart& part = contour[n];
    const auto end_at = [&](double u, bool is_from) {
      CurvePoint point;
      part.curves->PointOn(part.curve, u, &point);
      const Vector2d way = (is_from ? 1.0 : -1.0) * (view_ * point.derivative);
      return End{view_ * point.p, way, static_cast<int>(stretches_.size()),
                 is_from == (part.count > 0.0)};
    };
    const double jump = 0.5 * std::abs(part.count);
    const int step = jump == std::floor(jump) ? static_cast<int>(jump) : 0;
    const std::span<const double> places = crossings.Of(n);
    double from = part.from;
    for (std::size_t k = 0; k <= places.size(); ++k) {
      const double to = k < places.size() ? places[k] : part.to;
      ends_.push_back(end_at(from, true));
      ends_.push_back(end_at(to, false));
      const double length = (ends_.back().p - ends_[ends_.size() - 2].p).norm();
      stretches_.push_back({n, from, to, length, step});
      from = to;
    }
  }
}

// Puts the ends of each place one after the other.
void RimLayers::FindPlaces() {
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

// The set of a stretch, and how many more intervals lie on its left than on that of the set's.
int RimLayers::SetOf(int stretch, int* layers) {
  *layers = 0;
  while (stretches_[stretch].set != stretch) {
    Stretch& at = stretches_[stretch];
    const Stretch& above = stretches_[at.set];
    if (above.set != at.set) {  // halves the way
      at.layers += above.layers;
      at.set = above.set;
    }
    *layers += at.layers;
    stretch = at.set;
  }
  return stretch;
}

// On the left of the second lie so many more intervals than on that of the first.
void RimLayers::Join(int first, int second, int difference) {
  int of_first, of_second;
  const int a = SetOf(first, &of_first), b = SetOf(second, &of_second);
  const int change = of_first + difference - of_second;  // of b against a
  if (a == b) {
    if (change != 0) sets_[a].is_sound = false;
    return;
  }
  const int root = std::min(a, b), child = std::max(a, b);
  stretches_[child].set = root;
  stretches_[child].layers = child == b ? change : -change;
  sets_[root].is_sound = sets_[root].is_sound && sets_[child].is_sound;
}

// Sorts the ends of a place by their angle. False where two of them may lie on either side of each
// other.
bool RimLayers::SortAround() {
  for (auto& [angle, end] : around_) angle = std::atan2(ends_[end].way[1], ends_[end].way[0]);
  std::sort(around_.begin(), around_.end());
  double before = around_.back().first - kFullTurn;
  for (const auto& [angle, end] : around_) {
    if (!(angle - before > kLeastTurnApart)) return false;
    before = angle;
  }
  return true;
}

// Joins the stretches that end in one place, where it is certain in which order they lie about it.
void RimLayers::GoAround() {
  int sum = 0;
  for (const auto& [angle, end] : around_) {
    const Stretch& stretch = stretches_[ends_[end].stretch];
    if (stretch.step == 0 || !(stretch.length > kSameEnd)) return;
    sum += ends_[end].is_begin ? stretch.step : -stretch.step;
  }
  if (sum != 0 || around_.size() < 2 || (around_.size() > 2 && !SortAround())) return;
  // Counterclockwise: into the left of those that begin, out of that of those that end.
  int layers = 0;
  const End* first = nullptr;
  int left_of_first = 0;
  for (const auto& [angle, number] : around_) {
    const End& end = ends_[number];
    const int step = stretches_[end.stretch].step;
    const int left = end.is_begin ? layers + step : layers;
    layers += end.is_begin ? step : -step;
    if (!first) {
      first = &end;
      left_of_first = left;
    } else {
      Join(first->stretch, end.stretch, left - left_of_first);
    }
  }
}

void RimLayers::JoinStretches() {
  sets_.assign(stretches_.size(), {});
  for (std::size_t n = 0; n < stretches_.size(); ++n) stretches_[n].set = static_cast<int>(n);
  for (std::size_t n = 0; n < by_place_.size();) {
    const int place = by_place_[n].first;
    around_.clear();
    for (; n < by_place_.size() && by_place_[n].first == place; ++n) {
      around_.emplace_back(0.0, by_place_[n].second);
    }
    GoAround();
  }
}

// The sets, and of each the longest stretches.
void RimLayers::FindSets() {
  roots_.clear();
  for (std::size_t n = 0; n < stretches_.size(); ++n) {
    Stretch& stretch = stretches_[n];
    const int number = static_cast<int>(n);
    int layers;
    const int root = SetOf(number, &layers);
    stretch.set = root;
    stretch.layers = layers;
    if (root == number) roots_.push_back(root);
    Set& set = sets_[root];
    const auto is_longer = [&](int other) { return stretch.length > stretches_[other].length; };
    int place = set.count;
    while (place > 0 && is_longer(set.asked[place - 1])) --place;
    const int most = static_cast<int>(set.asked.size());
    if (place == most) continue;
    set.count = std::min(set.count + 1, most);
    for (int k = set.count - 1; k > place; --k) set.asked[k] = set.asked[k - 1];
    set.asked[place] = number;
  }
}

// What lines beside some of its stretches tell of a set. They run outside: inside, what begins at
// the contour is too thin to be seen.
void RimLayers::AskLines(const std::vector<ContourPart>& contour, const RimSweep& sweep,
                         Set* set) const {
  for (int k = 0; k < set->count && set->is_sound; ++k) {
    const Stretch& stretch = stretches_[set->asked[k]];
    const int outside =
        sweep.CountOutside(contour[stretch.part], 0.5 * (stretch.from + stretch.to));
    const int layers = outside + stretch.step - stretch.layers;
    if (k == 0) set->layers = layers;
    set->is_sound = layers == set->layers;
  }
}

// Of a stretch with so many intervals on its left; nothing where that is not certain.
std::optional<RimSweep::Swept> RimLayers::Sweep(const Stretch& stretch, const ContourPart& part,
                                                const RimSweep& sweep) const {
  const Set& set = sets_[stretch.set];
  const int inside = set.layers + stretch.layers, outside = inside - stretch.step;
  if (!set.is_sound || stretch.step == 0 || outside < 0) return {};
  return sweep.Between(part, stretch.from, stretch.to, outside > 0 ? 0.0 : 1.0 / inside);
}

std::optional<RimSweep::Swept> RimLayers::Run(const Vector3d& along,
                                              const std::vector<ContourPart>& contour,
                                              const ContourCrossings& crossings,
                                              const RimSweep& sweep, int threads) {
  view_ = ViewAlong(along.normalized(), along.unitOrthogonal());
  Cut(contour, crossings);
  FindPlaces();
  JoinStretches();
  FindSets();
  const int worth = stretches_.size() < kFewStretches ? 1 : threads;
  ParallelForParts(roots_.size(), kSetsOfTask, worth,
                   [&](std::size_t, std::size_t begin, std::size_t end, int) {
                     for (std::size_t n = begin; n < end; ++n) {
                       AskLines(contour, sweep, &sets_[roots_[n]]);
                     }
                   });
  swept_.resize(stretches_.size());
  ParallelForParts(stretches_.size(), kStretchesOfTask, worth,
                   [&](std::size_t, std::size_t begin, std::size_t end, int) {
                     for (std::size_t n = begin; n < end; ++n) {
                       const Stretch& stretch = stretches_[n];
                       swept_[n] = Sweep(stretch, contour[stretch.part], sweep);
                     }
                   });
  RimSweep::Swept sum;
  for (const std::optional<RimSweep::Swept>& swept : swept_) {
    if (!swept) return std::nullopt;
    sum.Add(*swept);
  }
  return sum;
}

}  // namespace volcontact
