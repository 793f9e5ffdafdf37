#include "overlap/arcs/curve_finder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/arcs/curve_tube.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// More surfaces are left to cells, which see where few of them are.
constexpr std::size_t kMostCurveSurfaces = 64;
// An interval shorter than this is nothing.
constexpr double kNoInterval = 1e-13;
// Parts of curves are no longer when crossings are looked for; shorter down to this where more
// surfaces may cross than are asked at little cost.
constexpr double kLongestPart = 1.6, kLongestStraight = 4.0, kShortestPart = 0.1;
constexpr std::size_t kFewOnLine = 16, kFewOnConic = 8, kFewOnRulings = 5;
// Pieces of curved edges are no longer, in the parameter.
constexpr double kLongestPiece = 1.6;
// A third surface no farther from the middle of an edge than this may contain the edge; of short
// edges it is near to them everywhere.
constexpr double kNearlyShared = 1e-11, kShortInterval = 1e-3;
// The same of where faces are cut: lines a little beside a cut must not pass an edge, too.
constexpr double kNearlyCutTwice = 1e-6;

}  // namespace

bool CurveFinder::Begin(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds) {
  problem_ = &problem;
  edges_.Clear();
  displacement_ = 0.0;
  problem.expression.FindSurfaces(&surfaces_);
  if (surfaces_.size() > kMostCurveSurfaces) return false;
  const std::size_t count = problem.surfaces.size();
  prepared_.resize(count);
  models_.resize(count);
  states_.assign(count, Truth::kUnknown);
  for (const int s : surfaces_) {
    if (kinds[s] >= SurfaceKind::kSaddle) return false;
    prepared_[s] = CurveSurface(problem.surfaces[s], kinds[s]);
    models_[s] = Quadratize(problem.surfaces[s], Cell());
    if (kinds[s] == SurfaceKind::kElliptic) edges_.surfaces.push_back(s);
  }
  return true;
}

bool CurveFinder::Run(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds) {
  cuts_only_ = false;
  if (!Begin(problem, kinds)) return false;
  for (std::size_t m = 0; m < surfaces_.size(); ++m) {
    for (std::size_t n = m + 1; n < surfaces_.size(); ++n) {
      if (!AddPair({surfaces_[m], surfaces_[n], prepared_[surfaces_[n]]})) return false;
    }
  }
  for (const EdgePiece& piece : edges_.pieces) {
    edges_.surfaces.push_back(piece.first);
    edges_.surfaces.push_back(piece.second);
  }
  std::sort(edges_.surfaces.begin(), edges_.surfaces.end());
  edges_.surfaces.erase(std::unique(edges_.surfaces.begin(), edges_.surfaces.end()),
                        edges_.surfaces.end());
  return true;
}

bool CurveFinder::RunCuts(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                          const std::vector<int>& cuts) {
  cuts_only_ = true;
  if (!Begin(problem, kinds)) return false;
  for (const int s : surfaces_) {
    if (cuts[s] < 0) continue;
    models_[cuts[s]] = Quadratize(problem.surfaces[cuts[s]], Cell());
    if (Classify(models_[cuts[s]]) != Truth::kUnknown) continue;
    const CurveSurface cut(problem.surfaces[cuts[s]], SurfaceKind::kPlane);
    if (!AddPair({s, cuts[s], cut})) return false;
  }
  return true;
}

bool CurveFinder::AddPair(const Pair& pair) {
  const CurveTube tube(models_[pair.first], models_[pair.second]);
  if (tube.state() == CurveTube::State::kNone) return true;
  curves_.clear();
  if (!AddCurves(prepared_[pair.first], pair.of_second, &curves_)) return false;
  return std::all_of(curves_.begin(), curves_.end(),
                     [&](const WholeCurve& curve) { return AddEdges(pair, curve); });
}

// Adds the edges of a region along a curve.
bool CurveFinder::AddEdges(const Pair& pair, const WholeCurve& curve) {
  undecided_.clear();
  for (const int s : surfaces_) {
    states_[s] = Truth::kUnknown;
    if (s != pair.first && s != pair.second) undecided_.push_back(s);
  }
  const std::size_t pieces = edges_.pieces.size();
  edges_.curves.push_back(curve);
  const bool found = Search(pair, curve.from, curve.to, 0);
  if (edges_.pieces.size() == pieces) edges_.curves.pop_back();
  return found;
}

// Looks for edges along a part of the last curve; `undecided`: where on the stack the surfaces
// begin that may cross it. A part on which others decide all is done.
bool CurveFinder::Search(const Pair& pair, double from, double to, std::size_t undecided) {
  const double length = to - from;
  if (edges_.curves.back().kind == WholeCurve::Kind::kRuled && length > kLongestPart) {
    const double middle = from + 0.5 * length;
    return Search(pair, from, middle, undecided) && Search(pair, middle, to, undecided);
  }
  crossings_.Begin(edges_.curves.back(), from, to);
  Cell box;
  if (!crossings_.BoxOf(&box)) return true;
  const std::size_t end = undecided_.size();
  for (std::size_t n = undecided; n < end; ++n) {
    const int s = undecided_[n];
    states_[s] = Classify(Linearize(problem_->surfaces[s], box));
    if (states_[s] == Truth::kUnknown) undecided_.push_back(s);
  }
  const std::size_t left = undecided_.size() - end;
  bool found = true;
  states_[pair.first] = states_[pair.second] = Truth::kUnknown;
  if (problem_->expression.Evaluate(states_.data()) == Truth::kUnknown) {
    const WholeCurve::Kind kind = edges_.curves.back().kind;
    const bool is_line = kind == WholeCurve::Kind::kLine;
    const std::size_t few = is_line                            ? kFewOnLine
                            : kind == WholeCurve::Kind::kConic ? kFewOnConic
                                                               : kFewOnRulings;
    const bool is_long = length > (is_line ? kLongestStraight : kLongestPart) ||
                         (left > few && length > kShortestPart);
    if (is_long) {
      const double middle = from + 0.5 * length;
      found = Search(pair, from, middle, end) && Search(pair, middle, to, end);
    } else {
      found = Cut(pair, from, to, end);
    }
  }
  for (std::size_t n = undecided; n < end; ++n) states_[undecided_[n]] = Truth::kUnknown;
  undecided_.resize(end);
  return found;
}

// Cuts a part of the last curve where others cross it, and adds its edges.
bool CurveFinder::Cut(const Pair& pair, double from, double to, std::size_t undecided) {
  parameters_.clear();
  for (std::size_t n = undecided; n < undecided_.size(); ++n) {
    if (crossings_.Find(prepared_[undecided_[n]], &parameters_) == CurveCrossings::Result::kUnknown)
      return false;
  }
  std::sort(parameters_.begin(), parameters_.end());
  parameters_.push_back(to);
  for (const double next : parameters_) {
    if (next - from > kNoInterval && !AddInterval(pair, from, next, undecided)) return false;
    from = next;
  }
  return true;
}

// Adds the edge between two crossings of the last curve, if there is one.
bool CurveFinder::AddInterval(const Pair& pair, double from, double to, std::size_t undecided) {
  const CurvePoint middle = edges_.curves.back().At(0.5 * (from + to));
  // Edges lie in the cube, whatever the expression is outside of it.
  if (!(middle.p.cwiseAbs().maxCoeff() <= 1.0)) return true;
  Vector3d f, g;
  bool is_near = false;
  const double near = cuts_only_ ? kNearlyCutTwice : kNearlyShared;
  for (std::size_t n = undecided; n < undecided_.size(); ++n) {
    const double psi = EvaluateSurface(problem_->surfaces[undecided_[n]], middle.p, &f);
    states_[undecided_[n]] = ToTruth(psi <= 0.0);
    is_near |= std::abs(psi) <= near;
  }
  EvaluateSurface(problem_->surfaces[pair.first], middle.p, &f);
  EvaluateSurface(*pair.of_second.surface, middle.p, &g);
  const bool along = f.cross(g).dot(middle.derivative) > 0.0;
  const auto contains = [&](bool below_first, bool below_second) {
    states_[pair.first] = ToTruth(below_first);
    if (!cuts_only_) states_[pair.second] = ToTruth(below_second);
    return problem_->expression.Evaluate(states_.data()) == Truth::kTrue;
  };
  PresenceAround around = {contains(true, true), contains(false, true), false, false};
  if (!cuts_only_) {
    around.below_above = contains(true, false);
    around.above_above = contains(false, false);
  }
  EdgePiece piece{pair.first, pair.second};
  piece.sheets = cuts_only_ ? EdgeSheets::OfCut(pair.first, along, around)
                            : EdgeSheets::OfEdge(pair.first, pair.second, along, around);
  if (piece.sheets.IsEmpty()) return true;
  if (is_near && to - from > kShortInterval) return false;
  AddPieces(piece, from, to);
  return true;
}

// Goes on with the last piece, where that is short, or splits the edge into pieces that few nodes
// do.
void CurveFinder::AddPieces(EdgePiece piece, double from, double to) {
  const WholeCurve& whole = edges_.curves.back();
  const double longest = whole.kind == WholeCurve::Kind::kLine ? kLongestStraight : kLongestPiece;
  piece.curve = static_cast<int>(edges_.curves.size()) - 1;
  if (!edges_.pieces.empty()) {
    EdgePiece& last = edges_.pieces.back();
    if (last.curve == piece.curve && last.to == from && to - last.from <= longest &&
        last.sheets == piece.sheets) {
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
    NoteDisplacement(piece.first, piece.start.p);
    if (!cuts_only_) NoteDisplacement(piece.second, piece.start.p);
    edges_.pieces.push_back(piece);
  }
}

void CurveFinder::NoteDisplacement(int surface, const Vector3d& p) {
  Vector3d gradient;
  EvaluateSurface(problem_->surfaces[surface], p, &gradient);
  displacement_ = std::max(displacement_, problem_->surfaces[surface].rounding / gradient.norm());
}

}  // namespace volcontact
