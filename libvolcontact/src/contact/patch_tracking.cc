#include "volcontact/contact/patch_tracking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// A patch moves no farther from one moment to the next, in the radii of both.
constexpr double kFarthest = 10.0;
// Of a patch's volume, what another one must have gained or lost by it.
constexpr double kShare = 0.5;

double Apart(const PatchMark& a, const PatchMark& b) {
  return std::min((a.point_A - b.point_A).norm(), (a.point_B - b.point_B).norm());
}

// The index in each list of what is the same patch, nearest ones first; −1 for those left over.
struct Matches {
  std::vector<int> before, now;

  Matches(const std::vector<PatchMark>& b, const std::vector<PatchMark>& n)
      : before(b.size(), -1), now(n.size(), -1) {
    std::vector<std::tuple<double, int, int>> pairs;
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t j = 0; j < n.size(); ++j) {
        const double apart = Apart(b[i], n[j]);
        if (apart > kFarthest * (b[i].radius + n[j].radius)) continue;
        pairs.emplace_back(apart, static_cast<int>(i), static_cast<int>(j));
      }
    }
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [apart, i, j] : pairs) {
      int& match_i = before[static_cast<std::size_t>(i)];
      int& match_j = now[static_cast<std::size_t>(j)];
      if (match_i >= 0 || match_j >= 0) continue;
      match_i = j;
      match_j = i;
    }
  }
};

// The list's indices, largest volume first.
std::vector<std::size_t> ByVolume(const std::vector<PatchMark>& marks) {
  std::vector<std::size_t> order(marks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return marks[i].volume > marks[j].volume; });
  return order;
}

// Of all that a filter lets through the one nearest to a patch; −1 for none.
int Nearest(const PatchMark& patch, const std::vector<PatchMark>& others,
            const std::function<bool(std::size_t)>& may_be) {
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < others.size(); ++k) {
    const double apart = Apart(patch, others[k]);
    if (apart >= least || apart > kFarthest * (patch.radius + others[k].radius) || !may_be(k)) {
      continue;
    }
    least = apart;
    nearest = static_cast<int>(k);
  }
  return nearest;
}

bool IsDivided(const std::vector<PatchMark>& marks) {
  return std::any_of(marks.begin(), marks.end(), [](const PatchMark& m) { return m.piece > 0; });
}

// Each piece from itself; all of them from a whole that was divided since.
std::vector<std::vector<int>> TrackPieces(const std::vector<PatchMark>& before,
                                          const std::vector<PatchMark>& now) {
  std::vector<std::vector<int>> from(now.size());
  if (before.size() == 1 && before[0].piece == 0) {
    from.assign(now.size(), {0});
    return from;
  }
  for (std::size_t j = 0; j < now.size(); ++j) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].piece == now[j].piece) from[j] = {static_cast<int>(i)};
    }
  }
  return from;
}

}  // namespace

PatchMark MarkOf(const Metrics& patch, const Pose& X_WA, const Pose& X_WB, int piece) {
  PatchMark mark;
  mark.piece = piece;
  mark.volume = patch.volume;
  mark.point_A = X_WA.Rotation().transpose() * (patch.centroid_W - X_WA.t);
  mark.point_B = X_WB.Rotation().transpose() * (patch.centroid_W - X_WB.t);
  if (patch.volume > 0.0) mark.radius = std::sqrt(0.5 * patch.inertia_W.trace() / patch.volume);
  return mark;
}

std::vector<std::vector<int>> TrackPatches(const std::vector<PatchMark>& before,
                                           const std::vector<PatchMark>& now) {
  if (IsDivided(before) || IsDivided(now)) return TrackPieces(before, now);
  const Matches matches(before, now);
  std::vector<std::vector<int>> from(now.size());
  // By how much what goes on has grown: what others give to it or take from it is taken off.
  std::vector<double> gain(now.size(), 0.0);
  for (std::size_t j = 0; j < now.size(); ++j) {
    const int i = matches.now[j];
    if (i < 0) continue;
    from[j].push_back(i);
    gain[j] = now[j].volume - before[static_cast<std::size_t>(i)].volume;
  }
  for (const std::size_t i : ByVolume(before)) {
    if (matches.before[i] >= 0) continue;
    const double share = kShare * before[i].volume;
    const int j = Nearest(before[i], now,
                          [&](std::size_t k) { return matches.now[k] >= 0 && gain[k] > share; });
    if (j < 0) continue;
    from[static_cast<std::size_t>(j)].push_back(static_cast<int>(i));
    gain[static_cast<std::size_t>(j)] -= before[i].volume;
  }
  for (const std::size_t j : ByVolume(now)) {
    if (matches.now[j] >= 0) continue;
    const double share = kShare * now[j].volume;
    const auto may_be = [&](std::size_t i) {
      const int k = matches.before[i];
      return k >= 0 && -gain[static_cast<std::size_t>(k)] > share;
    };
    const int i = Nearest(now[j], before, may_be);
    if (i < 0) continue;
    from[j].push_back(i);
    gain[static_cast<std::size_t>(matches.before[static_cast<std::size_t>(i)])] += now[j].volume;
  }
  for (std::vector<int>& list : from) std::sort(list.begin(), list.end());
  return from;
}

VOLCONTACT_NAMESPACE_END
