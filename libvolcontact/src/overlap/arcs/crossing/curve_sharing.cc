// Which surfaces share or touch a curve that is searched for edges, and the edges of many surfaces.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/curves/near_planes.h"
#include "overlap/arcs/edges/shared_sheets.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Where on a part of a curve it is asked whether a surface contains it.
constexpr std::array<double, 5> kSharedPlaces = {0.0, 0.23, 0.51, 0.77, 1.0};
// The sign of what is this many times larger than its rounding is known.
constexpr double kNoiseMargin = 8.0;
// What different pairs find of one edge is no farther apart.
constexpr double kSamePlace = 1e-8;
// By how much of a solid's size its surfaces that are to share an edge may be off it.
constexpr double kInputRounding = 0x1p-50;
// Places at which the nearest one of a curve is looked for first, and Newton's steps from there.
constexpr int kPlacesOnPart = 8, kStepsToNearest = 6;
// How far beside an edge of many surfaces it is asked how they lie, of its length or of this.
constexpr double kBesideEdge = 0.02, kLongBeside = 0.5;

// The parameter, in an interval, at which a curve comes nearest to a place, if it goes through it.
double NearestParameter(const WholeCurve& curve, double from, double to, const Vector3d& place) {
  const auto parameter = [&](int n) { return from + (to - from) * n / kPlacesOnPart; };
  double nearest = from, least = std::numeric_limits<double>::infinity();
  for (int n = 0; n <= kPlacesOnPart; ++n) {
    const double distance = (curve.At(parameter(n)).p - place).squaredNorm();
    if (distance < least) {
      least = distance;
      nearest = parameter(n);
    }
  }
  for (int step = 0; step < kStepsToNearest; ++step) {
    const CurvePoint at = curve.At(nearest);
    const double change = (place - at.p).dot(at.derivative) / at.derivative.squaredNorm();
    nearest = std::clamp(nearest + change, from, to);
  }
  return nearest;
}

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

// Looks for the edges that other pairs may have found on the present part, and cuts it where they
// begin and end: one pair may find no more than a part of an edge that surfaces share.
void CurveFinder::CutAtEarlier(const Pair& pair, const Part& part) {
  earlier_.clear();
  const auto has = [](const auto& surfaces, int first, int second) {
    const auto has_one = [&](int s) {
      return std::find(surfaces.begin(), surfaces.end(), s) != surfaces.end();
    };
    return has_one(first) && has_one(second);
  };
  for (const CommonEdge& edge : common_) {
    if (has(edge.surfaces, pair.first, pair.second)) earlier_.push_back(edge);
  }
  if (sharing_.size() > 2) {
    for (const EdgePiece& piece : edges_.pieces) {
      if (has(sharing_, piece.first, piece.second))
        earlier_.push_back({piece.curve, {piece.from, piece.to}});
    }
  }
  const int last = static_cast<int>(edges_.curves.size()) - 1;
  std::erase_if(earlier_, [&](const PartOfCurve& edge) { return edge.curve == last; });
  for (const PartOfCurve& edge : earlier_) {
    for (const double end : {edge.part.from, edge.part.to}) {
      const Vector3d p = edges_.curves[edge.curve].At(end).p;
      const double t = NearestParameter(edges_.curves[last], part.from, part.to, p);
      if ((edges_.curves[last].At(t).p - p).norm() <= kSamePlace) parameters_.push_back(t);
    }
  }
}

// Whether another pair has found the edge on a part of the last curve.
bool CurveFinder::IsRepeated(const Part& part) const {
  if (earlier_.empty()) return false;
  const CurvePoint middle = edges_.curves.back().At(0.5 * (part.from + part.to));
  const double near = std::min(kSamePlace, 0.25 * part.Length() * middle.derivative.norm());
  return std::any_of(earlier_.begin(), earlier_.end(), [&](const PartOfCurve& edge) {
    const WholeCurve& curve = edges_.curves[edge.curve];
    const double t = NearestParameter(curve, edge.part.from, edge.part.to, middle.p);
    return (curve.At(t).p - middle.p).norm() <= near;
  });
}

// Adds the edge between two crossings of the last curve, if there is one that more surfaces share.
bool CurveFinder::AddShared(const Pair& pair, const Part& part, const Undecided& left) {
  if (is_helper_) {
    has_met_shared_ = true;
    return false;
  }
  if (IsRepeated(part)) return true;
  const CurvePoint middle = edges_.curves.back().At(0.5 * (part.from + part.to));
  const double length = middle.derivative.norm() * (part.to - part.from);
  EdgePiece piece{pair.first, pair.second};
  piece.flush = AreOfBoth(*problem_, sharing_);
  piece.sheets = SheetsOfShared(
      {*problem_, left, sharing_, middle, kBesideEdge * std::min(length, kLongBeside)}, &states_);
  if (piece.sheets.IsEmpty()) return true;
  AddPieces(piece, part);
  CommonEdge edge{{static_cast<int>(edges_.curves.size()) - 1, part}, {}};
  edge.surfaces.fill(-1);
  std::copy(sharing_.begin(), sharing_.end(), edge.surfaces.begin());
  common_.push_back(edge);
  return true;
}

}  // namespace volcontact
