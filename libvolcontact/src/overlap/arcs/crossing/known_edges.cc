// The search for edges along those of one body that are known, by the surfaces of the others.
#include "overlap/arcs/crossing/known_edges.h"

#include <algorithm>
#include <cmath>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/cells/reduce_undecided.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Of no more surfaces it is not worth it to ask where they are.
constexpr std::size_t kFewOthers = 8;
// Known edges are no farther off the region's surfaces.
constexpr double kMostAside = 1e-11;
// Room around the boxes of faces: more than surfaces that count as one are apart.
constexpr double kRoomOfFaces = 1e-8;

// From the scaled coordinates of one frame to those of another.
struct ScaledMap {
  Matrix3d linear;
  Vector3d offset;

  ScaledMap(const LocalFrame& from, const LocalFrame& to) {
    const Rigid X = to.X_AC.Inverse() * from.X_AC;
    const Vector3d inverse = to.half.cwiseInverse();
    linear = inverse.asDiagonal() * X.RotationDouble() * from.half.asDiagonal();
    offset = inverse.cwiseProduct(Round(X.t));
  }
  Vector3d operator()(const Vector3d& p) const { return linear * p + offset; }
  Cell Around(const Cell& box) const { return {(*this)(box.center), linear.cwiseAbs() * box.half}; }
};

}  // namespace

// The surfaces of the others that are not in the problem's expression, which is simplified.
void CurveFinder::PrepareOthers(const KnownEdges& known, const std::vector<SurfaceKind>& kinds) {
  others_.expression = known.others;
  others_.expression.FindSurfaces(&others_.surfaces);
  for (const int s : others_.surfaces) {
    if (std::binary_search(surfaces_.begin(), surfaces_.end(), s)) continue;
    prepared_[s] = CurveSurface(problem_->surfaces[s], kinds[s]);
  }
  cells_of_others_.Begin(*problem_, others_);
}

// A piece with the numbers that its surfaces have in the problem; false where one is not there, so
// that the edge is not in the cube.
bool CurveFinder::Renumber(const KnownEdges& known, EdgePiece* piece) {
  const auto number = [&](int s) { return known.surfaces[s]; };
  piece->first = number(piece->first);
  piece->second = number(piece->second);
  EdgeSheets sheets;
  bool is_there = piece->first >= 0 && piece->second >= 0;
  for (const EdgeSheet& sheet : piece->sheets.All()) {
    is_there = is_there && number(sheet.surface) >= 0;
    sheets.Add({number(sheet.surface), sheet.weight, sheet.faces});
  }
  piece->sheets = sheets;
  return is_there;
}

// Takes over where the faces of one body are, but for surfaces that have faces of both.
void CurveFinder::TakeFaces(const KnownEdges& known) {
  const ScaledMap map(known.frame, problem_->frame);
  for (std::size_t s = 0; s < known.faces->size(); ++s) {
    const int number = known.surfaces[s];
    if (number < 0 || IsCommon(problem_->surfaces[number].owner)) continue;
    const std::optional<Cell>& box = (*known.faces)[s];
    faces_[number] = box ? std::optional<Cell>(map.Around(*box)) : std::nullopt;
  }
}

// What the boxes of two surfaces' faces have in common where the surfaces are near each other, with
// some room; nothing where that is nothing.
std::optional<Cell> CurveFinder::BoxOfFaces(const NearPairs::Pair& near) const {
  Cell box = near.box;
  for (const int s : {near.first, near.second}) {
    if (!faces_[s]) return std::nullopt;
    const Cell face = {faces_[s]->center, faces_[s]->half + Vector3d::Constant(kRoomOfFaces)};
    if (GapBetween(face, box) > 0.0) return std::nullopt;
    box = Common(face, box);
  }
  return box;
}

// Adds the edges of one body as far as they lie in the others; false where these share or touch
// one.
bool CurveFinder::AddKnown(const KnownEdges& known, const std::vector<SurfaceKind>& kinds) {
  const ScaledMap map(known.frame, problem_->frame);
  TakeFaces(known);
  PrepareOthers(known, kinds);
  const Edges& edges = *known.edges;
  for (std::size_t n = 0; n < edges.pieces.size(); ++n) {
    if (GapBetween(map.Around((*known.boxes)[n]), Cell()) > kApart) continue;
    EdgePiece piece = edges.pieces[n];
    if (!Renumber(known, &piece)) continue;
    const std::size_t before = edges_.pieces.size();
    edges_.curves.push_back(edges.curves[piece.curve].Mapped(map.linear, map.offset));
    if (!IsOnSurfaces(piece) || !SearchKnown(piece, {piece.from, piece.to}, nullptr, 0))
      return false;
    if (edges_.pieces.size() == before) edges_.curves.pop_back();
  }
  return true;
}

// Whether a known edge lies on its surfaces in the problem.
bool CurveFinder::IsOnSurfaces(const EdgePiece& piece) {
  const Vector3d p = edges_.curves.back().At(0.5 * (piece.from + piece.to)).p;
  for (const int s : {piece.first, piece.second}) {
    Vector3d gradient;
    const double aside = std::abs(EvaluateSurface(problem_->surfaces[s], p, &gradient));
    if (!(aside <= kMostAside * gradient.norm())) return false;
  }
  return true;
}

// Looks for the part of a known edge, a part of the last curve, that lies in the others; `whole`:
// what is undecided of these in a box around it, or null before that was asked.
bool CurveFinder::SearchKnown(const EdgePiece& piece, const Part& part, const Undecided* whole,
                              int depth) {
  crossings_.Begin(edges_.curves.back(), part.from, part.to);
  Cell box;
  if (!crossings_.BoxOf(&box)) return true;
  if (static_cast<int>(levels_.size()) <= depth) levels_.resize(depth + 1);
  if (whole == nullptr) {
    whole = others_.surfaces.size() <= kFewOthers ? &others_ : &cells_of_others_.Around(box);
  }
  Undecided& left = levels_[depth];
  const auto truth_of = [&](int s) { return ClassifyIn(problem_->surfaces[s], box); };
  ReduceUndecided(*whole, truth_of, &left);
  if (left.expression.IsFalse()) return true;
  has_curves_ = true;
  if (!IsTooLong(part, left)) return CutKnown(piece, part, left);
  const double middle = 0.5 * (part.from + part.to);
  return SearchKnown(piece, {part.from, middle}, &left, depth + 1) &&
         SearchKnown(piece, {middle, part.to}, &left, depth + 1);
}

// Cuts a known edge where the others cross it.
bool CurveFinder::CutKnown(const EdgePiece& piece, const Part& part, const Undecided& left) {
  parameters_.clear();
  crossed_.clear();
  for (const int s : left.surfaces) {
    const std::size_t before = parameters_.size();
    if (Cross(piece.first, piece.second, s, DoubleZeros::kOnce) == CurveCrossings::Result::kUnknown)
      return false;
    for (std::size_t n = before; n < parameters_.size(); ++n)
      crossed_.push_back({parameters_[n], s});
  }
  if (!CutAtSeams(piece.first, piece.second)) return false;
  is_inside_.clear();
  for (const Part& interval : IntervalsOf(part)) {
    const std::optional<bool> is_inside = IsInOthers(piece, interval, left);
    if (!is_inside) return false;
    is_inside_.push_back(*is_inside);
    if (*is_inside) AddPieces(piece, interval);
  }
  FindPiercings(piece, part);
  return true;
}

// Whether a part of the last curve that no surface crosses lies in the others; nothing where one is
// too near to tell.
std::optional<bool> CurveFinder::IsInOthers(const EdgePiece& piece, const Part& part,
                                            const Undecided& left) {
  const Vector3d middle = edges_.curves.back().At(0.5 * (part.from + part.to)).p;
  // The region lies in the cube; beyond, the expression does not tell where it is.
  if (middle.cwiseAbs().maxCoeff() > 1.0) return false;
  const bool is_long = part.Length() > kShortInterval;
  for (const int s : left.surfaces) {
    Vector3d gradient;
    const double psi = ValueOn(piece.first, piece.second, s, middle, &gradient);
    if (is_long && std::abs(psi) <= nearly_shared_) return std::nullopt;
    cases_[s] = psi <= 0.0 ? 1 : 0;
  }
  return (left.expression.EvaluateCases(cases_.data()) & 1) != 0;
}

}  // namespace volcontact
