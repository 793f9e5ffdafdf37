#include "overlap/arcs/edge_finder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/cells/conjunction.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Depth of the octree: a cell of the last level is 2e-6 of the cube, and what goes wrong in it
// about the cube of that. Where more cells are left surfaces touch along a curve.
constexpr int kMaxDepth = 20;
constexpr std::size_t kMaxUnresolved = 100;
// Cells are split off the middle, so that edges of aligned parts do not run along their sides.
constexpr double kOffMiddle = 0.0431;
// A cell with more surfaces is split without a look at its pairs, unless it is small already.
constexpr int kMostSurfaces = 8, kSmallDepth = 2;
// A piece shorter than this part of its cell is nothing.
constexpr double kNoLength = 1e-14;

Cell OffMiddleChild(const Cell& cell, int k) {
  Cell child;
  for (int i = 0; i < 3; ++i) {
    const bool upper = (k >> i & 1) != 0;
    child.half[i] = 0.5 * cell.half[i] * (upper ? 1.0 - kOffMiddle : 1.0 + kOffMiddle);
    child.center[i] = upper ? cell.center[i] + cell.half[i] - child.half[i]
                            : cell.center[i] - cell.half[i] + child.half[i];
  }
  return child;
}

}  // namespace

bool RunsAlongTangent(const LocalProblem& problem, const EdgePiece& piece) {
  Vector3d f, g;
  EvaluateSurface(problem.surfaces[piece.first], piece.start.p, &f);
  EvaluateSurface(problem.surfaces[piece.second], piece.start.p, &g);
  return f.cross(g).dot(piece.start.derivative) > 0.0;
}

void EdgeFinder::Clear() {
  cells_ = 0;
  failed_ = full_ = false;
  pieces_.clear();
  unresolved_.clear();
  faces_.clear();
  seams_.clear();
}

void EdgeFinder::Begin(const LocalProblem& problem, const std::vector<int>& cuts, long max_cells) {
  problem_ = &problem;
  cuts_ = cuts;
  max_cells_ = max_cells;
  Clear();
  const std::size_t count = problem.surfaces.size();
  states_.assign(count, Truth::kUnknown);
  models_.resize(count);
  levels_.resize(kMaxDepth + 2);
  levels_[0].expression = problem.expression;
  levels_[0].expression.FindSurfaces(&levels_[0].surfaces);
}

bool EdgeFinder::Run(const LocalProblem& problem, const std::vector<int>& seams, long max_cells) {
  Begin(problem, {}, max_cells);
  seams_ = seams;
  if (problem.expression.IsConstant()) {
    full_ = problem.expression.ConstantValue();
    return true;
  }
  Visit(Cell(), levels_[0], 0);
  return !failed_;
}

bool EdgeFinder::RunCuts(const LocalProblem& problem, const std::vector<int>& cuts,
                         const EdgeFinder& edges, long max_cells) {
  Begin(problem, cuts, max_cells);
  const Cell* visited = nullptr;
  for (const Face& face : edges.faces()) {
    // The faces of one cell follow each other.
    const bool same = visited != nullptr && visited->center == face.cell.center;
    if (same || cuts[face.surface] < 0) continue;
    if (Classify(Quadratize(problem.surfaces[cuts[face.surface]], face.cell)) != Truth::kUnknown)
      continue;
    visited = &face.cell;
    const int depth = static_cast<int>(-std::log2(face.cell.half.maxCoeff()));
    Visit(face.cell, levels_[0], std::clamp(depth, 1, kMaxDepth));
  }
  return !failed_;
}

// Puts in what is decided in the cell: what is left, kept in `level` where that is less than the
// parent's, or null when it is nothing.
const EdgeFinder::Level* EdgeFinder::Descend(const Level& parent, const Cell& cell, Level* level) {
  bool decided = false;
  for (const int s : parent.surfaces) {
    models_[s] = Quadratize(problem_->surfaces[s], cell);
    states_[s] = Classify(models_[s]);
    decided |= states_[s] != Truth::kUnknown;
  }
  if (decided) parent.expression.Reduce(states_.data(), &level->expression);
  for (const int s : parent.surfaces) states_[s] = Truth::kUnknown;
  if (!decided) return &parent;
  if (level->expression.IsConstant()) {
    if (cells_ == 1) full_ = level->expression.ConstantValue();
    return nullptr;
  }
  level->expression.FindSurfaces(&level->surfaces);
  return level;
}

void EdgeFinder::AddFaces(const Cell& cell, const Level& level) {
  for (const int s : level.surfaces) faces_.push_back({s, cell});
}

// Whether there is nothing more to look for in the cell.
bool EdgeFinder::IsSettled(const Cell& cell, const Level& level, int depth) {
  const int count = static_cast<int>(level.surfaces.size());
  if (count > 1 && depth < kSmallDepth && (depth == 0 || count > kMostSurfaces)) return false;
  const std::size_t found = pieces_.size();
  if (Resolve(cell, level)) {
    AddFaces(cell, level);
    return true;
  }
  pieces_.resize(found);
  return false;
}

void EdgeFinder::Visit(const Cell& cell, const Level& parent, int depth) {
  if (failed_) return;
  if (++cells_ > max_cells_) {
    failed_ = true;
    return;
  }
  const Level* level = Descend(parent, cell, &levels_[depth + 1]);
  if (level == nullptr || IsSettled(cell, *level, depth)) return;
  if (Refute(level->expression, models_.data())) return;
  if (depth >= kMaxDepth) {
    unresolved_.push_back(cell);
    AddFaces(cell, *level);
    failed_ = unresolved_.size() > kMaxUnresolved;
    return;
  }
  for (int k = 0; k < 8; ++k) Visit(OffMiddleChild(cell, k), *level, depth + 1);
}

// Adds the curve of two surfaces in the cell, if there is one; false when the cell must be split
// for that.
bool EdgeFinder::Trace(int first, int second, const Cell& cell) {
  Curve curve{first, second, {}};
  const CurveState state = TraceInCell(At(first), At(second), cell, &curve.curve);
  if (state == CurveState::kFound) curves_.push_back(curve);
  return state != CurveState::kSplit;
}

// Finds all edges, or cuts, in the cell; false when it must be split for that.
bool EdgeFinder::Resolve(const Cell& cell, const Level& level) {
  curves_.clear();
  for (std::size_t m = 0; m < level.surfaces.size(); ++m) {
    const int first = level.surfaces[m];
    if (!cuts_.empty()) {
      const int cut = cuts_[first];
      if (cut < 0) continue;
      models_[cut] = Quadratize(problem_->surfaces[cut], cell);
      if (Classify(models_[cut]) == Truth::kUnknown && !Trace(first, cut, cell)) return false;
      continue;
    }
    for (std::size_t n = m + 1; n < level.surfaces.size(); ++n) {
      if (!Trace(first, level.surfaces[n], cell)) return false;
    }
  }
  return std::all_of(curves_.begin(), curves_.end(),
                     [&](const Curve& curve) { return AddPieces(curve, cell, level); });
}

// Adds the place where a third surface crosses a curve, if there is one; false when the cell must
// be split for that.
bool EdgeFinder::AddCrossing(const Curve& found, int surface, const Cell& cell) {
  Vector3d p;
  const CurveState state =
      CrossInCell(At(found.first), At(found.second), At(surface), cell, found.curve, &p);
  if (state == CurveState::kFound) crossings_.push_back(p);
  return state != CurveState::kSplit;
}

bool EdgeFinder::AddSeamCrossings(const Curve& found, const Cell& cell) {
  if (seams_.empty()) return true;
  for (const int s : {found.first, found.second}) {
    const int seam = seams_[s];
    if (seam < 0) continue;
    models_[seam] = Quadratize(problem_->surfaces[seam], cell);
    if (Classify(models_[seam]) == Truth::kUnknown && !AddCrossing(found, seam, cell)) return false;
  }
  return true;
}

// Cuts a curve at its crossings with third surfaces.
bool EdgeFinder::AddPieces(const Curve& found, const Cell& cell, const Level& level) {
  const CellCurve& curve = found.curve;
  const int axis = curve.axis;
  crossings_.clear();
  for (const int s : level.surfaces) {
    if (s != found.first && s != found.second && !AddCrossing(found, s, cell)) return false;
  }
  if (!AddSeamCrossings(found, cell)) return false;
  std::sort(crossings_.begin(), crossings_.end(),
            [axis](const Vector3d& p, const Vector3d& q) { return p[axis] < q[axis]; });
  const double shortest = kNoLength * cell.half[axis];
  CurvePoint from = curve.start;
  bool from_cut = true;
  for (const Vector3d& p : crossings_) {
    CurvePoint to{p, {}};
    if (!SolveOnSlice(*At(found.first).surface, *At(found.second).surface, axis, &to)) return false;
    if (to.p[axis] - from.p[axis] > shortest && curve.end.p[axis] - to.p[axis] > shortest) {
      if (!AddPiece(found, from, from_cut, to, false, level)) return false;
      from = to;
      from_cut = false;
    }
  }
  return AddPiece(found, from, from_cut, curve.end, true, level);
}

bool EdgeFinder::AddPiece(const Curve& found, const CurvePoint& start, bool start_cut,
                          const CurvePoint& end, bool end_cut, const Level& level) {
  const int axis = found.curve.axis;
  CurvePoint middle = Interpolate(start, end, axis, 0.5);
  if (!SolveOnSlice(*At(found.first).surface, *At(found.second).surface, axis, &middle))
    return false;
  const EdgeSectors sectors = Sectors(level, found.first, found.second, middle.p);
  if (sectors.Weight() == 0) return true;
  pieces_.push_back({found.first, found.second, axis, start, end, start_cut, end_cut, sectors});
  return true;
}

// The states of the level's surfaces at a point.
void EdgeFinder::SetStates(const Level& level, const Vector3d& p) {
  Vector3d gradient;
  for (const int s : level.surfaces) {
    states_[s] = ToTruth(EvaluateSurface(problem_->surfaces[s], p, &gradient) <= 0.0);
  }
}

EdgeSectors EdgeFinder::Sectors(const Level& level, int first, int second, const Vector3d& p) {
  SetStates(level, p);
  const auto contains = [&](bool below_first, bool below_second) {
    states_[first] = ToTruth(below_first);
    if (cuts_.empty()) states_[second] = ToTruth(below_second);
    return level.expression.Evaluate(states_.data()) == Truth::kTrue;
  };
  EdgeSectors sectors;
  sectors.below_below = contains(true, true);
  sectors.above_below = contains(false, true);
  if (cuts_.empty()) {
    sectors.below_above = contains(true, false);
    sectors.above_above = contains(false, false);
  }
  for (const int s : level.surfaces) states_[s] = Truth::kUnknown;
  return sectors;
}

bool EdgeFinder::Contains(const Vector3d& p, int surface, bool below) {
  SetStates(levels_[0], p);
  states_[surface] = ToTruth(below);
  const bool inside = problem_->expression.Evaluate(states_.data()) == Truth::kTrue;
  for (const int s : levels_[0].surfaces) states_[s] = Truth::kUnknown;
  return inside;
}

}  // namespace volcontact
