#include "overlap/arcs/edges/edge_finder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "math/time_limit.h"
#include "overlap/arcs/edges/shared_sheets.h"
#include "overlap/cells/conjunction.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Cells are split off the middle, so that edges of aligned parts do not run along their sides.
constexpr double kOffMiddle = 0.0431;
// A cell with more surfaces is split without a look at its pairs, unless it is small already.
constexpr int kMostSurfaces = 8, kSmallDepth = 2;
// Looks at surfaces in a cell, or at pairs of them, that count as one more cell.
constexpr std::size_t kLooksOfCell = 16;
// A piece shorter than this part of its cell is nothing.
constexpr double kNoLength = 1e-14;
// Where on a curve it is asked whether a surface contains it, besides its ends: it could cross the
// curve of two quadrics in eight points at most, but hardly in these.
constexpr std::array<double, 3> kSharedAt = {0.23, 0.51, 0.77};
// How far beside an edge of many surfaces it is asked how they lie, in cells.
constexpr double kBeside = 0.02;

}  // namespace

Cell EdgeFinder::OffMiddleChild(const Cell& cell, int k) {
  Cell child;
  for (int i = 0; i < 3; ++i) {
    const bool upper = (k >> i & 1) != 0;
    child.half[i] = 0.5 * cell.half[i] * (upper ? 1.0 - kOffMiddle : 1.0 + kOffMiddle);
    child.center[i] = upper ? cell.center[i] + cell.half[i] - child.half[i]
                            : cell.center[i] - cell.half[i] + child.half[i];
  }
  return child;
}

void EdgeFinder::Clear() {
  cells_ = 0;
  displacement_ = 0.0;
  failed_ = full_ = false;
  edges_.Clear();
  unresolved_.clear();
  faces_.clear();
  seams_.clear();
  left_count_ = 0;
  makes_tasks_ = false;
  unresolved_before_ = 0;
  tasks_.clear();
  parents_.Clear();
}

void EdgeFinder::Begin(const LocalProblem& problem, const std::vector<int>& cuts, long max_cells,
                       double coincidence) {
  problem_ = &problem;
  coincidence_ = coincidence;
  cuts_ = cuts;
  max_cells_ = max_cells;
  Clear();
  const std::size_t count = problem.surfaces.size();
  states_.assign(count, Truth::kUnknown);
  models_.resize(count);
  levels_.resize(kMaxDepth + 2);
  touching_.Begin(problem);
  levels_[0].expression = problem.expression;
  levels_[0].expression.FindSurfaces(&levels_[0].surfaces);
}

bool EdgeFinder::Run(const LocalProblem& problem, long max_cells, double coincidence,
                     const std::vector<int>& seams, int threads) {
  Begin(problem, {}, max_cells, coincidence);
  seams_ = seams;
  if (problem.expression.IsConstant()) {
    full_ = problem.expression.ConstantValue();
    return true;
  }
  makes_tasks_ = true;
  Visit(Cell(), levels_[0], 0);
  DoTasks(threads);
  for (const Face& face : faces_) edges_.surfaces.push_back(face.surface);
  edges_.SortSurfaces();
  return !failed_;
}

bool EdgeFinder::RunCuts(const LocalProblem& problem, const std::vector<int>& cuts,
                         const EdgeFinder& edges, long max_cells, int threads) {
  Begin(problem, cuts, max_cells, edges.coincidence_);
  AddCutTasks(edges);
  DoTasks(threads);
  return !failed_;
}

// Puts in what is decided in the cell: what is left, kept in `level` where that is less than the
// parent's, or null when it is nothing.
const Undecided* EdgeFinder::Descend(const Undecided& parent, const Cell& cell, Undecided* level) {
  bool decided = false;
  for (const int s : parent.surfaces) {
    models_[s] = Quadratize(problem_->surfaces[s], cell);
    states_[s] = Classify(models_[s]);
    decided |= states_[s] != Truth::kUnknown;
  }
  if (decided) level->AssignReduced(parent, states_);
  for (const int s : parent.surfaces) states_[s] = Truth::kUnknown;
  if (!decided) return &parent;
  if (level->expression.IsConstant()) {
    if (cells_ == 1) full_ = level->expression.ConstantValue();
    return nullptr;
  }
  return level;
}

void EdgeFinder::AddFaces(const Cell& cell, const Undecided& level) {
  if (cuts_.empty()) {
    if (left_count_ == static_cast<int>(left_.size())) left_.emplace_back();
    left_[left_count_++] = level;
  }
  for (const int s : level.surfaces) faces_.push_back({s, cell, left_count_ - 1});
}

// Whether there is nothing more to look for in the cell.
bool EdgeFinder::IsSettled(const Cell& cell, const Undecided& level, int depth) {
  const int count = static_cast<int>(level.surfaces.size());
  if (count > 1 && depth < kSmallDepth && (depth == 0 || count > kMostSurfaces)) return false;
  const std::size_t found = edges_.pieces.size();
  if (Resolve(cell, level)) {
    AddFaces(cell, level);
    return true;
  }
  edges_.pieces.resize(found);
  return false;
}

void EdgeFinder::Visit(const Cell& cell, const Undecided& parent, int depth) {
  if (failed_) return;
  if (++cells_ > max_cells_ || TimeLimit::IsOver()) {
    failed_ = true;
    return;
  }
  const Undecided* level = Descend(parent, cell, &levels_[depth + 1]);
  cells_ += static_cast<long>(parent.surfaces.size() / kLooksOfCell);
  if (level == nullptr || IsSettled(cell, *level, depth)) return;
  if (Refute(level->expression, models_.data())) return;
  if (depth >= kMaxDepth) {
    unresolved_.push_back(cell);
    AddFaces(cell, *level);
    failed_ = unresolved_.size() - unresolved_before_ > kMaxUnresolved;
    return;
  }
  if (makes_tasks_ && depth + 1 == kTaskDepth) return AddTasks(cell, *level, depth + 1);
  for (int k = 0; k < 8; ++k) Visit(OffMiddleChild(cell, k), *level, depth + 1);
}

// Adds the curve of two surfaces in the cell, if there is one; false when the cell must be split
// for that.
bool EdgeFinder::Trace(int first, int second, const Cell& cell) {
  Curve curve{first, second, {}};
  const CurveState state = TraceInCell(At(first), At(second), cell, &curve.curve);
  if (state == CurveState::kFound) curves_.push_back(curve);
  return state != CurveState::kSplit || (cuts_.empty() && Touch(first, second));
}

// Finds all edges, or cuts, in the cell; false when it must be split for that.
bool EdgeFinder::Resolve(const Cell& cell, const Undecided& level) {
  curves_.clear();
  std::size_t looks = 0;
  for (std::size_t m = 0; m < level.surfaces.size(); ++m) {
    TimeLimit::Enforce();
    const int first = level.surfaces[m];
    if (!cuts_.empty()) {
      const int cut = cuts_[first];
      if (cut < 0) continue;
      models_[cut] = Quadratize(problem_->surfaces[cut], cell);
      if (Classify(models_[cut]) == Truth::kUnknown && !Trace(first, cut, cell)) return false;
      continue;
    }
    for (std::size_t n = m + 1; n < level.surfaces.size(); ++n) {
      if (++looks % kLooksOfCell == 0) ++cells_;
      if (!Trace(first, level.surfaces[n], cell)) return false;
    }
  }
  return std::all_of(curves_.begin(), curves_.end(),
                     [&](const Curve& curve) { return AddPieces(curve, cell, level); });
}

// Whether a surface that seems to cross a curve more than once, or to touch it, contains all of it.
bool EdgeFinder::IsShared(const Curve& found, int surface) {
  const CellCurve& curve = found.curve;
  double farthest = 0.0;
  const auto is_on = [&](const Vector3d& p) {
    Vector3d gradient;
    const double psi = EvaluateSurface(problem_->surfaces[surface], p, &gradient);
    farthest = std::max(farthest, std::abs(psi));
    return std::abs(psi) <= coincidence_;
  };
  const bool is_shared =
      is_on(curve.start.p) && is_on(curve.end.p) &&
      std::all_of(kSharedAt.begin(), kSharedAt.end(), [&](double u) {
        CurvePoint point;
        return SolveBetween(problem_->surfaces[found.first], problem_->surfaces[found.second],
                            curve.start, curve.end, curve.axis, u, &point) &&
               is_on(point.p);
      });
  if (is_shared) displacement_ = std::max(displacement_, farthest);
  return is_shared;
}

// Whether two surfaces touch along a curve and nowhere cross.
bool EdgeFinder::Touch(int first, int second) {
  const double distance = touching_.Distance(first, second);
  if (!(distance <= coincidence_)) return false;
  displacement_ = std::max(displacement_, distance);
  return true;
}

// Finds where third surfaces cross a curve, and which contain it.
bool EdgeFinder::Cross(const Curve& found, const Cell& cell, const Undecided& level) {
  crossings_.clear();
  sharing_ = {found.first, found.second};
  for (const int s : level.surfaces) {
    if (s == found.first || s == found.second) continue;
    Vector3d p;
    switch (CrossInCell(At(found.first), At(found.second), At(s), cell, found.curve, &p)) {
      case CurveState::kNone:
        break;
      case CurveState::kFound:
        crossings_.push_back(p);
        break;
      case CurveState::kSplit:
        if (IsShared(found, s)) {
          sharing_.push_back(s);
        } else if (!Touch(found.first, s) && (!cuts_.empty() || !Touch(found.second, s))) {
          return false;
        }
    }
  }
  return CrossSeams(found, cell);
}

// Finds where a curve crosses the seams of its surfaces.
bool EdgeFinder::CrossSeams(const Curve& found, const Cell& cell) {
  if (seams_.empty()) return true;
  for (const int s : {found.first, found.second}) {
    const int seam = seams_[s];
    if (seam < 0) continue;
    models_[seam] = Quadratize(problem_->surfaces[seam], cell);
    if (Classify(models_[seam]) != Truth::kUnknown) continue;
    Vector3d p;
    const CurveState state =
        CrossInCell(At(found.first), At(found.second), At(seam), cell, found.curve, &p);
    if (state == CurveState::kSplit) return false;
    if (state == CurveState::kFound) crossings_.push_back(p);
  }
  return true;
}

// Whether an earlier curve is the same one.
bool EdgeFinder::IsRepeated(const Curve& found) const {
  const auto shares = [&](int surface) {
    return std::find(sharing_.begin(), sharing_.end(), surface) != sharing_.end();
  };
  return std::any_of(curves_.data(), &found, [&](const Curve& earlier) {
    return shares(earlier.first) && shares(earlier.second);
  });
}

// Cuts a curve at its crossings with third surfaces.
bool EdgeFinder::AddPieces(const Curve& found, const Cell& cell, const Undecided& level) {
  const CellCurve& curve = found.curve;
  const int axis = curve.axis;
  if (!Cross(found, cell, level)) return false;
  if (sharing_.size() > EdgeSheets::kMost) return false;
  if (sharing_.size() > 2 && IsRepeated(found)) return true;
  std::sort(crossings_.begin(), crossings_.end(),
            [axis](const Vector3d& p, const Vector3d& q) { return p[axis] < q[axis]; });
  const double shortest = kNoLength * cell.half[axis];
  CurvePoint from = curve.start;
  bool from_cut = true;
  for (const Vector3d& p : crossings_) {
    CurvePoint to{p, {}};
    if (!SolveOnSlice(*At(found.first).surface, *At(found.second).surface, axis, &to)) return false;
    if (to.p[axis] - from.p[axis] > shortest && curve.end.p[axis] - to.p[axis] > shortest) {
      if (!AddPiece(found, from, from_cut, to, false, cell, level)) return false;
      from = to;
      from_cut = false;
    }
  }
  return AddPiece(found, from, from_cut, curve.end, true, cell, level);
}

bool EdgeFinder::AddPiece(const Curve& found, const CurvePoint& start, bool start_cut,
                          const CurvePoint& end, bool end_cut, const Cell& cell,
                          const Undecided& level) {
  const int axis = found.curve.axis;
  CurvePoint middle;
  if (!SolveBetween(*At(found.first).surface, *At(found.second).surface, start, end, axis, 0.5,
                    &middle)) {
    return false;
  }
  const double length = (end.p - start.p).cwiseAbs().maxCoeff();
  const EdgeSheets sheets =
      sharing_.size() > 2
          ? SheetsOfAll(level, found, middle, kBeside * std::min(length, cell.half.minCoeff()))
          : SheetsOfPair(level, found, middle);
  if (sheets.IsEmpty()) return true;
  edges_.pieces.push_back({found.first, found.second, axis, start, end, start_cut, end_cut,
                           sharing_.size() > 2 && AreOfBoth(*problem_, sharing_), sheets});
  return true;
}

// The states of the level's surfaces at a point.
void EdgeFinder::SetStates(const Undecided& level, const Vector3d& p) {
  Vector3d gradient;
  for (const int s : level.surfaces) {
    states_[s] = ToTruth(EvaluateSurface(problem_->surfaces[s], p, &gradient) <= 0.0);
  }
}

// The sheets of an edge of two surfaces.
EdgeSheets EdgeFinder::SheetsOfPair(const Undecided& level, const Curve& found,
                                    const CurvePoint& middle) {
  const int first = found.first, second = found.second;
  Vector3d f, g;
  EvaluateSurface(problem_->surfaces[first], middle.p, &f);
  EvaluateSurface(problem_->surfaces[second], middle.p, &g);
  const bool along = f.cross(g).dot(middle.derivative) > 0.0;
  SetStates(level, middle.p);
  const auto contains = [&](bool below_first, bool below_second) {
    states_[first] = ToTruth(below_first);
    if (cuts_.empty()) states_[second] = ToTruth(below_second);
    return IsPresent(level);
  };
  PresenceAround around = {contains(true, true), contains(false, true), false, false};
  if (cuts_.empty()) {
    around.below_above = contains(true, false);
    around.above_above = contains(false, false);
  }
  for (const int s : level.surfaces) states_[s] = Truth::kUnknown;
  return cuts_.empty() ? EdgeSheets::OfEdge(first, second, along, around)
                       : EdgeSheets::OfCut(first, along, around);
}

// The sheets of an edge that more surfaces share.
EdgeSheets EdgeFinder::SheetsOfAll(const Undecided& level, const Curve& found,
                                   const CurvePoint& middle, double reach) {
  const SharedEdge edge{*problem_, level, sharing_, middle, reach};
  if (cuts_.empty()) return SheetsOfShared(edge, &states_);
  // A face that ends where it is cut has an edge there, and no cut.
  const SheetSides at = SidesOfSheet(edge, found.first, &states_);
  EdgeSheets sheets;
  if (at.left != at.right) return sheets;
  Vector3d outward;
  EvaluateSurface(problem_->surfaces[found.second], middle.p, &outward);
  if (outward.dot(at.step) < 0.0) sheets.Add(found.first, at.left[0], at.left[1], false, false);
  if (outward.dot(at.step) > 0.0) sheets.Add(found.first, false, false, at.right[0], at.right[1]);
  return sheets;
}

}  // namespace volcontact
