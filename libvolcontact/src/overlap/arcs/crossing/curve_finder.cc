#include "overlap/arcs/crossing/curve_finder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Parts of curves are no longer when crossings are looked for; shorter down to this where more
// surfaces may cross than are asked at little cost.
constexpr double kLongestStraight = 4.0, kShortestPart = 0.1;
// Parts on which a crossing is not settled are halved down to this.
constexpr double kShortestUnsettled = 0.01;
constexpr std::size_t kFewOnLine = 16, kFewOnConic = 8, kFewOnRulings = 5;
// It is not asked which surfaces are near each other if there are no more pairs than of so many; if
// piercings tell most edges of a pair at little cost, than of the second number.
constexpr std::size_t kFewSurfaces = 20, kFewPierced = 256;
// Pieces of curved edges are no longer, in the parameter.
constexpr double kLongestPiece = 1.6;
// A third surface no farther from the middle of an edge than this may contain the edge.
constexpr double kNearlyShared = 1e-11;
// The same of outlines: which faces they are on may depend on roundings.
constexpr double kNearlyCutTwice = 1e-8;

}  // namespace

bool CurveFinder::Begin(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                        const TorusSeams& seams) {
  problem_ = &problem;
  seams_ = &seams;
  charts_.Begin(problem, seams);
  seam_pieces_.clear();
  has_curves_ = false;
  near_ = &all_near_;
  edges_.Clear();
  pairs_.clear();
  all_piercings_.Clear();
  piercings_ = nullptr;
  displacement_ = 0.0;
  touching_.Begin(problem);
  common_.clear();
  problem.expression.FindSurfaces(&surfaces_);
  whole_.expression = problem.expression;
  whole_.surfaces = surfaces_;
  own_cells_.Begin(problem, whole_);
  cells_ = &own_cells_;
  const std::size_t count = problem.surfaces.size();
  prepared_.resize(count);
  models_.resize(count);
  states_.assign(count, Truth::kUnknown);
  cases_.assign(count, 0);
  held_.assign(count, Truth::kUnknown);
  faces_.assign(count, Cell());
  all_conditions_.Run(problem.expression, count);
  bool are_known = true;
  for (const int s : surfaces_) {
    are_known &= kinds[s] < SurfaceKind::kSaddle || charts_.IsTorus(s);
    prepared_[s] = CurveSurface(problem.surfaces[s], kinds[s]);
    models_[s] = Quadratize(problem.surfaces[s], Cell());
    // Faces that have no edges.
    if (kinds[s] >= SurfaceKind::kElliptic) edges_.surfaces.push_back(s);
    const int seam = SeamOf(s);
    if (seam >= 0) prepared_[seam] = CurveSurface(problem.surfaces[seam], SurfaceKind::kPlane);
  }
  return are_known;
}

bool CurveFinder::Run(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                      const TorusSeams& seams, double coincidence, int threads,
                      std::span<const KnownEdges> known) {
  reaches_out_ = false;
  return FindAll(problem, kinds, seams, coincidence, threads, known);
}

bool CurveFinder::RunReachingOut(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                                 const TorusSeams& seams, double coincidence, int threads) {
  reaches_out_ = true;
  return FindAll(problem, kinds, seams, coincidence, threads, {});
}

bool CurveFinder::RunSeams(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                           const TorusSeams& seams) {
  reaches_out_ = true;
  nearly_shared_ = kNearlyShared;
  Begin(problem, kinds, seams);
  all_near_.Run(problem, surfaces_, kFewSurfaces);
  return AddSeams();
}

bool CurveFinder::FindAll(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                          const TorusSeams& seams, double coincidence, int threads,
                          std::span<const KnownEdges> known) {
  cuts_only_ = are_outlines_ = false;
  nearly_shared_ = kNearlyShared;
  coincidence_ = coincidence;
  if (!Begin(problem, kinds, seams)) return false;
  known_bodies_.clear();
  for (const KnownEdges& edges : known) {
    known_bodies_.push_back(edges.body);
    if (!AddKnown(edges, kinds)) return false;
  }
  if (ArePiercingsKnown(known)) {
    all_piercings_.Sort();
    piercings_ = &all_piercings_;
  }
  all_near_.Run(problem, surfaces_, piercings_ == nullptr ? kFewSurfaces : kFewPierced, threads,
                known_bodies_);
  for (const NearPairs::Pair& near : near_->pairs()) {
    if (near.first == near.second) continue;
    if (const auto box = BoxOfFaces(near)) pairs_.push_back({near.first, near.second, near, *box});
  }
  if (!AddPairs(threads) || !AddSeams()) return false;
  edges_.CollectSurfaces();
  return true;
}

void CurveFinder::BeginCuts() {
  cuts_only_ = true;
  are_outlines_ = false;
  reaches_out_ = false;
  nearly_shared_ = kNearlyCutTwice;
  are_sure_ = true;
}

bool CurveFinder::RunSections(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                              int first, int count, const CurveFinder& of_edges) {
  BeginCuts();
  if (!Begin(problem, kinds, *of_edges.seams_)) return false;
  near_ = of_edges.near_;
  for (int plane = first; plane < first + count; ++plane) {
    models_[plane] = Quadratize(problem.surfaces[plane], Cell());
    prepared_[plane] = CurveSurface(problem.surfaces[plane], SurfaceKind::kPlane);
  }
  for (const NearPairs::Pair& near : near_->pairs()) {
    if (near.first != near.second) continue;
    const auto box = of_edges.BoxOfFaces(near);
    if (!box) continue;
    for (int plane = first; plane < first + count; ++plane) {
      if (Classify(models_[plane]) == Truth::kUnknown)
        pairs_.push_back({near.first, plane, near, *box});
    }
  }
  return AddPairs(1) && are_sure_;
}

bool CurveFinder::RunOutlines(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                              const std::vector<int>& cuts, const Vector3d& direction_C,
                              CurveFinder* of_edges, int threads) {
  BeginCuts();
  are_outlines_ = true;
  direction_C_ = direction_C;
  if (!Begin(problem, kinds, *of_edges->seams_)) return false;
  near_ = of_edges->near_;
  cells_ = of_edges->cells_;
  for (const NearPairs::Pair& near : near_->pairs()) {
    const int s = near.first, cut = cuts[s];
    if (cut < 0 || near.second != s) continue;
    models_[cut] = Quadratize(problem.surfaces[cut], Cell());
    if (Classify(models_[cut]) != Truth::kUnknown) continue;
    prepared_[cut] = CurveSurface(problem.surfaces[cut], SurfaceKind::kPlane);
    if (const auto box = of_edges->BoxOfFaces(near)) pairs_.push_back({s, cut, near, *box});
  }
  return AddPairs(threads);
}

// The part of a line that lies in a box, with some room for rounding; of other curves all.
CurveFinder::Part CurveFinder::PartIn(const Cell& box, const WholeCurve& curve) {
  Part part{curve.from, curve.to};
  if (curve.kind != WholeCurve::Kind::kLine) return part;
  const Cell room = {box.center, box.half + Vector3d::Constant(kApart)};
  return ClipLine(curve, room, &part.from, &part.to) ? part : Part{0.0, -1.0};
}

// Adds the edges of a region along a curve.
bool CurveFinder::AddEdges(const Pair& pair, const WholeCurve& curve) {
  const std::size_t pieces = edges_.pieces.size();
  edges_.curves.push_back(curve);
  const Part part = PartIn(pair.box, curve);
  const bool found = part.from > part.to || SearchMeeting(pair, part);
  if (edges_.pieces.size() == pieces) edges_.curves.pop_back();
  return found;
}

// Begins to look for crossings on a part of the last curve, with a box around it; false where that
// keeps off where the pair is near.
bool CurveFinder::Begin(const Pair& pair, const Part& part, Cell* box) {
  crossings_.Begin(edges_.curves.back(), part.from, part.to);
  const double moved = PlaceOn(pair, part, kFirstPlace).moved;
  const double off = moved < kMostNoise ? std::max(moved, kCurveRounding) : kMostNoise;
  return crossings_.BoxOf(box, off) && !(GapBetween(*box, pair.box) > kApart);
}

// Looks for edges along a part of the last curve; `whole`: what is undecided in a box around it, or
// null before that was asked.
bool CurveFinder::Search(const Pair& pair, const Part& part, const Undecided* whole, int depth) {
  const double length = part.Length(), middle = part.from + 0.5 * length;
  const auto search_halves = [&](const Undecided* left) {
    return Search(pair, {part.from, middle}, left, depth + 1) &&
           Search(pair, {middle, part.to}, left, depth + 1);
  };
  if (edges_.curves.back().IsSampled() && length > kLongestPart) return search_halves(whole);
  Cell box;
  if (!Begin(pair, part, &box)) return true;
  // Edges of the pair lie in its box: what is decided there is, wherever else the curve goes.
  const Cell inside = Common(box, pair.box);
  const Undecided* left =
      ReduceIn(inside, pair, whole == nullptr ? UndecidedAround(inside) : *whole, depth);
  if (left == nullptr) return true;
  if (IsTooLong(part, *left)) return search_halves(left);
  if (FindCuts(pair, part, *left)) return AddIntervals(pair, part, *left);
  // The region may have no face at the place that is not settled.
  return part.Length() > kShortestUnsettled && search_halves(left);
}

// Whether a part of the last curve is to be halved before crossings are looked for.
bool CurveFinder::IsTooLong(const Part& part, const Undecided& left) const {
  const WholeCurve::Kind kind = edges_.curves.back().kind;
  const bool is_line = kind == WholeCurve::Kind::kLine;
  const std::size_t few = is_line                            ? kFewOnLine
                          : kind == WholeCurve::Kind::kConic ? kFewOnConic
                                                             : kFewOnRulings;
  return part.Length() > (is_line ? kLongestStraight : kLongestPart) ||
         (left.surfaces.size() > few && part.Length() > kShortestPart);
}

// Adds the edges of a part of the last curve between the cuts found.
bool CurveFinder::AddIntervals(const Pair& pair, const Part& part, const Undecided& left) {
  bool is_known = true;
  for (const Part& interval : IntervalsOf(part)) is_known &= AddInterval(pair, interval, left);
  return is_known;
}

// The sheets of an edge of two surfaces, where cases_ tells of all others.
EdgeSheets CurveFinder::SheetsOfPair(const Pair& pair, const CurvePoint& middle,
                                     const Undecided& left) {
  cases_[pair.first] = kBelowFirst;
  if (!cuts_only_) cases_[pair.second] = kBelowSecond;
  const std::uint8_t cases = left.expression.EvaluateCases(cases_.data()) & kAllCases;
  if (cases == 0 || cases == kAllCases) return {};
  Vector3d f, g;
  EvaluateSurface(problem_->surfaces[pair.first], middle.p, &f);
  EvaluateSurface(problem_->surfaces[pair.second], middle.p, &g);
  const bool along = f.cross(g).dot(middle.derivative) > 0.0;
  const auto contains = [cases](std::uint8_t first, std::uint8_t second) {
    return (cases & first & second) != 0;
  };
  constexpr std::uint8_t kAboveFirst = kAllCases ^ kBelowFirst;
  constexpr std::uint8_t kAboveSecond = kAllCases ^ kBelowSecond;
  PresenceAround around = {contains(kBelowFirst, kBelowSecond), contains(kAboveFirst, kBelowSecond),
                           false, false};
  if (!cuts_only_) {
    around.below_above = contains(kBelowFirst, kAboveSecond);
    around.above_above = contains(kAboveFirst, kAboveSecond);
  }
  return cuts_only_ ? EdgeSheets::OfCut(pair.first, along, around)
                    : EdgeSheets::OfEdge(pair.first, pair.second, along, around);
}

bool CurveFinder::IsIn(const Cell& box, const Vector3d& p) {
  return ((p - box.center).cwiseAbs() - box.half).maxCoeff() <= kApart;
}

// Adds the edge between two crossings of the last curve, if there is one.
bool CurveFinder::AddInterval(const Pair& pair, const Part& part, const Undecided& left) {
  const CurvePoint middle = edges_.curves.back().At(0.5 * (part.from + part.to));
  // Edges lie in the box, whatever the expression is outside of it.
  if (!IsIn(pair.box, middle.p)) return true;
  if (sharing_.size() > 2) return AddShared(pair, part, left);
  Vector3d gradient;
  bool is_near = false;
  for (const int s : left.surfaces) {
    if (s == pair.first || s == pair.second) continue;
    const double psi = ValueOn(pair.first, pair.second, s, middle.p, &gradient);
    cases_[s] = psi <= 0.0 ? kAllCases : 0;
    const double near = cuts_only_ ? nearly_shared_ * gradient.norm() : nearly_shared_;
    is_near |= std::abs(psi) <= near && near_->IsNear(pair.near, s) &&
               (cuts_only_ || std::abs(psi) <= NoiseOn(pair, part, s, gradient));
  }
  EdgePiece piece{pair.first, pair.second};
  piece.sheets = SheetsOfPair(pair, middle, left);
  if (piece.sheets.IsEmpty() || (!cuts_only_ && IsRepeated(part))) return true;
  if (is_near && part.Length() * middle.derivative.norm() > kShortInterval) {
    if (!IsOutline(pair)) return false;
    are_sure_ = false;
  }
  AddPieces(piece, part);
  return true;
}

// Goes on with the last piece, where that is short, or splits the edge into pieces that few nodes
// do.
void CurveFinder::AddPieces(EdgePiece piece, const Part& part) {
  const auto [from, to] = part;
  const WholeCurve& whole = edges_.curves.back();
  const double longest = whole.kind == WholeCurve::Kind::kLine ? kLongestStraight : kLongestPiece;
  piece.curve = static_cast<int>(edges_.curves.size()) - 1;
  if (!edges_.pieces.empty()) {
    EdgePiece& last = edges_.pieces.back();
    const bool ends_at_seam =
        std::find(seam_crossings_.begin(), seam_crossings_.end(), from) != seam_crossings_.end();
    if (last.curve == piece.curve && last.to == from && to - last.from <= longest &&
        last.sheets == piece.sheets && !ends_at_seam) {
      last.to = to;
      last.end = whole.At(to);
      return;
    }
  }
  const int count = static_cast<int>(std::ceil((to - from) / longest));
  CurvePoint start = whole.At(from);
  for (int n = 0; n < count; ++n) {
    piece.from = from + (to - from) * n / count;
    piece.to = n + 1 == count ? to : from + (to - from) * (n + 1) / count;
    piece.start = start;
    piece.end = start = whole.At(piece.to);
    edges_.pieces.push_back(piece);
  }
}

}  // namespace volcontact
