// Where other surfaces, seams and the sides of the cube cut a curve that is searched for edges.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/curves/near_planes.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Boxes of curves that come no nearer to a side of the cube keep off it.
constexpr double kAtSide = 1e-9;
// The sign of a larger value is certain.
constexpr double kSignIsCertain = 1e-7;

// The planes ±x = 1, ±y = 1, ±z = 1.
std::array<LocalSurface, 6> SidesOfCube() {
  std::array<LocalSurface, 6> sides;
  for (int i = 0; i < 6; ++i) {
    sides[i].psi.degree = 1;
    sides[i].psi.c[kX + i % 3] = i < 3 ? 1.0 : -1.0;
    sides[i].psi.c[kOne] = -1.0;
  }
  return sides;
}

}  // namespace

// A plane that crosses the curve of two surfaces where a surface does which is nearly parallel to
// one of them, if it is.
std::optional<LocalSurface> CurveFinder::Across(int first, int second, int surface) const {
  const LocalSurface& third = problem_->surfaces[surface];
  if (third.psi.degree > 1) return std::nullopt;
  const auto across = DifferenceOfPlanes(third, problem_->surfaces[first]);
  return across ? across : DifferenceOfPlanes(third, problem_->surfaces[second]);
}

// Adds where a surface crosses the present part of a curve of two others.
CurveCrossings::Result CurveFinder::Cross(int first, int second, int surface, DoubleZeros doubles) {
  const auto across = Across(first, second, surface);
  return across ? crossings_.Find(CurveSurface(*across, SurfaceKind::kPlane), &parameters_, doubles)
                : crossings_.Find(prepared_[surface], &parameters_, doubles);
}

// A surface at a point of the curve of two others: its value, or one of that sign.
double CurveFinder::ValueOn(int first, int second, int surface, const Vector3d& p,
                            Vector3d* gradient) const {
  const double psi = EvaluateSurface(problem_->surfaces[surface], p, gradient);
  // Of outlines it is the distance that counts.
  if (cuts_only_ || std::abs(psi) > kSignIsCertain) return psi;
  const auto across = Across(first, second, surface);
  return across ? EvaluateSurface(*across, p, gradient) : psi;
}

// Adds where a surface crosses a part of the last curve; false where that is not known.
bool CurveFinder::FindCrossings(const Pair& pair, const Part& part, int surface) {
  const bool is_seam = cuts_only_ && SeamOf(pair.first) == pair.second;
  if (!is_seam)
    return Cross(pair.first, pair.second, surface, DoubleZeros::kOnce) !=
           CurveCrossings::Result::kUnknown;
  return charts_.CrossSeam(pair.first, seams_->Of(pair.first).seam, prepared_[surface], part.from,
                           part.to, &parameters_);
}

// Finds where others cross a part of the last curve; false where that is not settled.
bool CurveFinder::FindCuts(const Pair& pair, const Part& part, const Undecided& left) {
  parameters_.clear();
  sharing_ = {pair.first, pair.second};
  const Place first = PlaceOn(pair, part, kFirstPlace);
  for (const int s : left.surfaces) {
    // Others cross it where the region has no edge on it.
    if (s == pair.first || s == pair.second || !near_->IsNear(pair.near, s)) continue;
    if (!cuts_only_ && sharing_.size() < EdgeSheets::kMost && Contains(pair, part, first, s)) {
      sharing_.push_back(s);
      continue;
    }
    const std::size_t before = parameters_.size();
    if (FindCrossings(pair, part, s)) continue;
    parameters_.resize(before);
    if (Share(pair, part, s)) continue;
    if (!IsOutline(pair)) return false;
    are_sure_ = false;
  }
  if (!cuts_only_ && !CutAtSeams(pair.first, pair.second)) return false;
  if (reaches_out_) CutAtSides();
  if (!cuts_only_) CutAtEarlier(pair, part);
  return true;
}

// Adds where the present part crosses the seams of tori: the forms on these jump there.
bool CurveFinder::CutAtSeams(int first, int second) {
  seam_crossings_.clear();
  for (const int s : {first, second}) {
    const int seam = SeamOf(s);
    if (seam >= 0 &&
        crossings_.Find(prepared_[seam], &seam_crossings_) == CurveCrossings::Result::kUnknown)
      return false;
  }
  parameters_.insert(parameters_.end(), seam_crossings_.begin(), seam_crossings_.end());
  return true;
}

// Adds where the present part leaves the cube: beyond, it is not known where the region is.
void CurveFinder::CutAtSides() {
  static const std::array<LocalSurface, 6> sides = SidesOfCube();
  Cell box;
  crossings_.BoxOf(&box);
  for (int i = 0; i < 6; ++i) {
    const double reach = (i < 3 ? 1.0 : -1.0) * box.center[i % 3] + box.half[i % 3];
    if (!(reach >= 1.0 - kAtSide)) continue;
    const std::size_t before = parameters_.size();
    const CurveSurface side(sides[i], SurfaceKind::kPlane);
    // What runs in a side, nearly, may stay or go.
    if (crossings_.Find(side, &parameters_) == CurveCrossings::Result::kUnknown)
      parameters_.resize(before);
  }
}

// The intervals between the places at which the present part was found to be cut.
const std::vector<CurveFinder::Part>& CurveFinder::IntervalsOf(const Part& part) {
  std::sort(parameters_.begin(), parameters_.end());
  parameters_.push_back(part.to);
  intervals_.clear();
  double from = part.from;
  for (const double to : parameters_) {
    if (to - from > kNoInterval) intervals_.push_back({from, to});
    from = to;
  }
  return intervals_;
}

}  // namespace volcontact
