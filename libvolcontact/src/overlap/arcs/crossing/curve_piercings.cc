// The edges along curves of faces of two bodies, between the points where the edges of one body
// pierce faces of the other.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "overlap/arcs/crossing/curve_finder.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// A piercing is no farther off the curve that ends there.
constexpr double kOffCurve = 1e-9;
// Crossings of an edge that are no farther apart, in its parameter, may be one.
constexpr double kSameCrossing = 1e-9;
// At a smaller angle between a surface and a curve it is not known where they cross, nor if the
// crossing is farther from the piercing.
constexpr double kLeastAngle = 1e-8, kMostStep = 1e-7;
// Where it is asked for an edge: at the first of these parts of an interval, and at all of them on
// a curve without ends.
constexpr std::array<double, 3> kPlacesBetween = {0.5, 0.12, 0.81};
// Of many surfaces those count that are undecided in a cell about as large around a place.
constexpr double kAroundPlace = 0.03;

}  // namespace

// Whether a pair of planes has no edge, since nothing ends on its line.
bool CurveFinder::IsLineWithoutEnds(const Pair& pair) const {
  const auto is_plane = [&](int s) { return problem_->surfaces[s].psi.degree == 1; };
  return is_plane(pair.first) && is_plane(pair.second) &&
         piercings_->Of(pair.first, pair.second).empty();
}

// Whether the edges of both bodies are known, so that piercings tell where all others end.
bool CurveFinder::ArePiercingsKnown(std::span<const KnownEdges> known) const {
  if (reaches_out_ || known.empty()) return false;
  const auto is_known = [&](Owner body) {
    const auto is_of_body = [&](int s) { return problem_->surfaces[s].owner == body; };
    return std::any_of(known.begin(), known.end(),
                       [body](const KnownEdges& edges) { return edges.body == body; }) ||
           std::count_if(surfaces_.begin(), surfaces_.end(), is_of_body) < 2;
  };
  return is_known(Owner::kA) && is_known(Owner::kB) &&
         std::all_of(surfaces_.begin(), surfaces_.end(), [&](int s) {
           const Owner owner = problem_->surfaces[s].owner;
           return owner == Owner::kA || owner == Owner::kB;
         });
}

// Notes where a known edge enters or leaves the other body: at t, where surfaces cross its curve,
// from one interval of the part to the next.
void CurveFinder::AddPiercings(const EdgePiece& piece, const Part& part, double t) {
  const auto is_here = [t](const Crossing& crossing) {
    return std::abs(crossing.t - t) <= kSameCrossing;
  };
  const bool is_sure = std::count_if(crossed_.begin(), crossed_.end(), is_here) == 1 &&
                       t - part.from > kSameCrossing && part.to - t > kSameCrossing;
  const Vector3d point = edges_.curves.back().At(t).p;
  for (const Crossing& crossing : crossed_) {
    if (!is_here(crossing)) continue;
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      const bool is_of_two = sheet.surface == piece.first || sheet.surface == piece.second;
      const int across = sheet.surface == piece.first ? piece.second : piece.first;
      all_piercings_.Add({sheet.surface, crossing.surface, across, point, is_sure && is_of_two});
    }
  }
}

// Notes all piercings of a part of a known edge, whose intervals are known to lie in the other body
// or not.
void CurveFinder::FindPiercings(const EdgePiece& piece, const Part& part) {
  const std::size_t count = intervals_.size();
  for (std::size_t n = 0; n + 1 < count; ++n) {
    if (is_inside_[n] != is_inside_[n + 1]) AddPiercings(piece, part, intervals_[n].to);
  }
  // What crosses at the end of a part may do so on the next part.
  for (const double end : {part.from, part.to}) {
    const bool is_crossed = std::any_of(crossed_.begin(), crossed_.end(), [end](const Crossing& c) {
      return std::abs(c.t - end) <= kSameCrossing;
    });
    if (is_crossed) AddPiercings(piece, part, end);
  }
}

// The place on the last curve where a piercing ends it; nothing if it is on another curve.
std::optional<double> CurveFinder::EndAt(const Piercing& piercing) {
  const WholeCurve& curve = edges_.curves.back();
  const std::optional<double> near = curve.ParameterOf(piercing.point, kOffCurve);
  if (!near) return std::nullopt;
  const CurvePoint at = curve.At(*near);
  Vector3d gradient;
  const double psi = ValueOn(piercing.first, piercing.second, piercing.across, at.p, &gradient);
  const double slope = gradient.dot(at.derivative);
  const double step = -psi / slope, speed = at.derivative.norm();
  is_end_unsure_ |= !(std::abs(slope) > kLeastAngle * gradient.norm() * speed &&
                      std::abs(step) * speed <= kMostStep);
  return *near + step;
}

// Finds the ends of edges on the last curve. False where they are not certain.
bool CurveFinder::FindEnds(std::span<const Piercing> piercings, std::size_t* count) {
  parameters_.clear();
  is_end_unsure_ = false;
  for (const Piercing& piercing : piercings) {
    const std::optional<double> end = EndAt(piercing);
    if (end) parameters_.push_back(*end);
  }
  *count += parameters_.size();
  std::sort(parameters_.begin(), parameters_.end());
  const WholeCurve& curve = edges_.curves.back();
  double last = curve.from;
  for (const double t : parameters_) {
    if (!(t - last > kSameCrossing)) return false;
    last = t;
  }
  return !is_end_unsure_ && curve.to - last > kSameCrossing;
}

// The sheets of the edge at a place of the last curve, no sheets where there is no edge; nothing
// where a surface is too near to tell.
std::optional<EdgeSheets> CurveFinder::SheetsAt(const Pair& pair, double t) {
  const CurvePoint at = edges_.curves.back().At(t);
  if (!IsIn(pair.box, at.p)) return EdgeSheets();
  const Cell around = {at.p, Vector3d::Constant(kAroundPlace)};
  const Undecided& left = UndecidedAround(Common(around, pair.box));
  for (const int s : left.surfaces) {
    if (s == pair.first || s == pair.second) continue;
    Vector3d gradient;
    const double psi = ValueOn(pair.first, pair.second, s, at.p, &gradient);
    if (std::abs(psi) <= nearly_shared_) return std::nullopt;
    cases_[s] = psi <= 0.0 ? kAllCases : 0;
  }
  return SheetsOfPair(pair, at, left);
}

// The same between ends of edges on the last curve, or all along one that has no ends.
std::optional<EdgeSheets> CurveFinder::SheetsBetween(const Pair& pair, const Part& between,
                                                     bool has_ends) {
  const auto sheets_at = [&](double u) {
    return SheetsAt(pair, between.from + u * between.Length());
  };
  const std::optional<EdgeSheets> sheets = sheets_at(kPlacesBetween[0]);
  const bool are_everywhere =
      has_ends || (sheets && std::all_of(kPlacesBetween.begin() + 1, kPlacesBetween.end(),
                                         [&](double u) { return sheets_at(u) == sheets; }));
  return are_everywhere ? sheets : std::nullopt;
}

// Adds the edges on the last curve between its ends. False where they do not begin and end there:
// then some were not found.
bool CurveFinder::AddBetweenEnds(const Pair& pair) {
  const WholeCurve& curve = edges_.curves.back();
  const bool has_ends = !parameters_.empty();
  if (!has_ends && curve.kind == WholeCurve::Kind::kLine) return true;
  const std::vector<Part>& intervals = IntervalsOf({curve.from, curve.to});
  seam_crossings_.clear();
  bool was_edge = false, is_first_edge = false;
  for (std::size_t n = 0; n < intervals.size(); ++n) {
    const std::optional<EdgeSheets> sheets = SheetsBetween(pair, intervals[n], has_ends);
    if (!sheets) return false;
    const bool is_edge = !sheets->IsEmpty();
    if (n > 0 && is_edge == was_edge) return false;
    if (n == 0) is_first_edge = is_edge;
    was_edge = is_edge;
    if (!is_edge) continue;
    EdgePiece piece{pair.first, pair.second};
    piece.sheets = *sheets;
    AddPieces(piece, intervals[n]);
  }
  return curve.is_closed ? was_edge == is_first_edge : !was_edge && !is_first_edge;
}

// Adds the edges of a pair of surfaces of two bodies between the piercings on their curves. False,
// with no edge added, where these do not tell them.
bool CurveFinder::AddByPiercings(const Pair& pair) {
  const std::span<const Piercing> piercings = piercings_->Of(pair.first, pair.second);
  if (!std::all_of(piercings.begin(), piercings.end(),
                   [](const Piercing& piercing) { return piercing.is_sure; }))
    return false;
  const std::size_t pieces = edges_.pieces.size(), curves = edges_.curves.size();
  std::size_t ends = 0;
  const auto add_on = [&](const WholeCurve& curve) {
    edges_.curves.push_back(curve);
    const std::size_t before = edges_.pieces.size();
    const bool found = curve.HasParameters() && FindEnds(piercings, &ends) && AddBetweenEnds(pair);
    if (edges_.pieces.size() == before) edges_.curves.pop_back();
    return found;
  };
  if (std::all_of(curves_.begin(), curves_.end(), add_on) && ends == piercings.size()) return true;
  edges_.pieces.resize(pieces);
  edges_.curves.resize(curves);
  return false;
}

}  // namespace volcontact
