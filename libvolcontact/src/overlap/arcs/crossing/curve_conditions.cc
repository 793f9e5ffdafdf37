// The search for edges on those parts of curves alone where the surfaces of a pair can have faces.
#include <algorithm>
#include <cmath>

#include "overlap/arcs/crossing/curve_finder.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Parts whose middle is no farther from the surface of a condition are not cut by it.
constexpr double kNearCondition = 1e-8;

}  // namespace

// Puts together what both surfaces of a pair ask for; false where they contradict each other, so
// that the pair has no edge.
bool CurveFinder::FindConditions(const Pair& pair) {
  conditions_.clear();
  for (const int of : {pair.first, pair.second}) {
    if (cuts_only_ && of == pair.second) continue;
    for (const SideCondition& condition : all_conditions_.Of(of)) {
      const int s = condition.surface;
      if (s == pair.first || s == pair.second || !near_->IsNear(pair.near, s)) continue;
      const auto same = std::find_if(conditions_.begin(), conditions_.end(),
                                     [s](const SideCondition& c) { return c.surface == s; });
      if (same == conditions_.end()) {
        conditions_.push_back(condition);
      } else if (same->below != condition.below) {
        return false;
      }
    }
  }
  return true;
}

// Looks for edges on those parts of a part of the last curve that meet the conditions.
bool CurveFinder::SearchMeeting(const Pair& pair, const Part& part) {
  if (conditions_.empty()) return Search(pair, part, nullptr, 0);
  if (edges_.curves.back().IsSampled() && part.Length() > kLongestPart) {
    const double middle = 0.5 * (part.from + part.to);
    return SearchMeeting(pair, {part.from, middle}) && SearchMeeting(pair, {middle, part.to});
  }
  Cell box;
  if (!Begin(pair, part, &box)) return true;
  const auto let_go = [&] {
    for (const SideCondition& condition : conditions_) held_[condition.surface] = Truth::kUnknown;
  };
  meeting_.clear();
  if (Hold(pair, part, Common(box, pair.box)) && !FindMeeting(part)) {
    let_go();
    meeting_ = {part};
  }
  const bool found = std::all_of(meeting_.begin(), meeting_.end(), [&](const Part& meeting) {
    return Search(pair, meeting, nullptr, 0);
  });
  let_go();
  return found;
}

// Finds which conditions hold all along a part of the last curve, which is in the box, and where
// others may begin or cease to; false where one fails all along.
bool CurveFinder::Hold(const Pair& pair, const Part& part, const Cell& box) {
  cutting_.clear();
  parameters_.clear();
  const Place first = PlaceOn(pair, part, kFirstPlace);
  for (const auto& [s, below] : conditions_) {
    const Truth truth = ClassifyIn(problem_->surfaces[s], box);
    if (truth == Truth::kUnknown) {
      const std::size_t before = parameters_.size();
      // Surfaces that contain the curve, or nearly so, are treated where edges are shared.
      if (!cuts_only_ && Contains(pair, part, first, s)) continue;
      if (Cross(pair.first, pair.second, s, DoubleZeros::kOnce) ==
          CurveCrossings::Result::kUnknown) {
        parameters_.resize(before);
        continue;
      }
      cutting_.push_back({s, below});
    } else if (truth != below) {
      return false;
    }
    held_[s] = below;
  }
  return true;
}

// Finds the parts of a part of the last curve on which those conditions hold; false where it runs
// too near to one of their surfaces to tell.
bool CurveFinder::FindMeeting(const Part& part) {
  for (const Part& between : IntervalsOf(part)) {
    const Vector3d middle = edges_.curves.back().At(0.5 * (between.from + between.to)).p;
    bool meets = true;
    for (const auto& [s, below] : cutting_) {
      Vector3d gradient;
      const double psi = EvaluateSurface(problem_->surfaces[s], middle, &gradient);
      if (std::abs(psi) <= kNearCondition * gradient.norm()) return false;
      meets = meets && ToTruth(psi < 0.0) == below;
    }
    if (meets) meeting_.push_back(between);
  }
  return true;
}

}  // namespace volcontact
