// Which surfaces share or touch a curve that is searched for edges, and the edges of many surfaces.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "overlap/arcs/curve_finder.h"
#include "overlap/arcs/near_planes.h"
#include "overlap/arcs/shared_sheets.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Where on a part of a curve it is asked whether a surface contains it.
constexpr std::array<double, 5> kSharedPlaces = {0.0, 0.23, 0.51, 0.77, 1.0};
// The sign of what is this many times larger than its rounding is known.
constexpr double kNoiseMargin = 8.0;
// By how much of a solid's size its surfaces that are to share an edge may be off it.
constexpr double kInputRounding = 0x1p-50;
// How far beside an edge of many surfaces it is asked how they lie, of its length or of this.
constexpr double kBesideEdge = 0.02, kLongBeside = 0.5;

}  // namespace

// A place of the last curve, with a bound of how far roundings of its surfaces may have moved it:
// in a needle's frame a curve where surfaces meet at a small angle is not known any better.
CurveFinder::Place CurveFinder::PlaceOn(const Pair& pair, const Part& part, double u) const {
  Place place{edges_.curves.back().At(part.from + u * (part.to - part.from)).p, 0.0};
  const LocalSurface& first = problem_->surfaces[pair.first];
  const auto across = DifferenceOfPlanes(problem_->surfaces[pair.second], first);
  const LocalSurface& second = across ? *across : problem_->surfaces[pair.second];
  Vector3d f, g;
  EvaluateSurface(first, place.p, &f);
  EvaluateSurface(second, place.p, &g);
  place.moved = (first.rounding * g.norm() + second.rounding * f.norm()) / f.cross(g).norm();
  return place;
}

// How far a surface's value in the middle of a part of the last curve may be off, for roundings of
// all three.
double CurveFinder::NoiseOn(const Pair& pair, const Part& part, int surface,
                            const Vector3d& gradient) const {
  const double moved = PlaceOn(pair, part, 0.5).moved;
  return kNoiseMargin * (problem_->surfaces[surface].rounding + gradient.norm() * moved);
}

// Whether a surface contains a part of the last curve as far as roundings tell; `first`: its first
// place.
bool CurveFinder::Contains(const Pair& pair, const Part& part, const Place& first, int surface) {
  // The numbers that a solid is made of are rounded.
  const double input_rounding = kInputRounding * Round(problem_->frame.X_AC.t).norm();
  const auto is_on = [&](const Place& place) {
    Vector3d gradient;
    const LocalSurface& third = problem_->surfaces[surface];
    const double psi = std::abs(EvaluateSurface(third, place.p, &gradient));
    const double rounded = third.rounding + gradient.norm() * place.moved +
                           gradient.cwiseQuotient(problem_->frame.half).norm() * input_rounding;
    return psi <= std::min(rounded, kMostNoise);
  };
  return is_on(first) && std::all_of(kSharedPlaces.begin(), kSharedPlaces.end(),
                                     [&](double u) { return is_on(PlaceOn(pair, part, u)); });
}

// Whether a surface that seems to cross a part of the last curve more often than can be told
// contains it, or touches one of its surfaces, and so the curve, without crossing it.
bool CurveFinder::Share(const Pair& pair, const Part& part, int surface) {
  double farthest = 0.0;
  for (const double u : kSharedPlaces) {
    Vector3d gradient;
    const Vector3d p = edges_.curves.back().At(part.from + u * (part.to - part.from)).p;
    const double psi = EvaluateSurface(problem_->surfaces[surface], p, &gradient);
    farthest = std::max(farthest, std::abs(psi));
  }
  if (!cuts_only_ && farthest <= coincidence_) {
    sharing_.push_back(surface);
    return sharing_.size() <= EdgeSheets::kMost;
  }
  return Touch(pair.first, surface) || (!cuts_only_ && Touch(pair.second, surface));
}

// Whether two surfaces touch along a curve and nowhere cross.
bool CurveFinder::Touch(int first, int second) {
  const double distance = touching_.Distance(first, second);
  if (!(distance <= coincidence_)) return false;
  displacement_ = std::max(displacement_, distance);
  return true;
}

// Whether an earlier pair has the same curve.
bool CurveFinder::IsRepeated(const Pair& pair) const {
  const auto shares = [&](int surface) {
    return std::find(sharing_.begin(), sharing_.end(), surface) != sharing_.end();
  };
  return std::any_of(traced_.begin(), traced_.end(), [&](const auto& earlier) {
    const auto& [first, second] = earlier;
    return (first != pair.first || second != pair.second) && shares(first) && shares(second);
  });
}

// Adds the edge between two crossings of the last curve, if there is one that more surfaces share.
bool CurveFinder::AddShared(const Pair& pair, const Part& part, const Undecided& left) {
  if (is_helper_) {
    has_met_shared_ = true;
    return false;
  }
  if (IsRepeated(pair)) return true;
  const CurvePoint middle = edges_.curves.back().At(0.5 * (part.from + part.to));
  const double length = middle.derivative.norm() * (part.to - part.from);
  EdgePiece piece{pair.first, pair.second};
  piece.flush = AreOfBoth(*problem_, sharing_);
  piece.sheets = SheetsOfShared(
      {*problem_, left, sharing_, middle, kBesideEdge * std::min(length, kLongBeside)}, &states_);
  if (!piece.sheets.IsEmpty()) AddPieces(piece, part);
  return true;
}

}  // namespace volcontact
