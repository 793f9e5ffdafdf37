#include "overlap/cells/overlap_proof.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/time_limit.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"
#include "overlap/cells/interior_point.h"

namespace volcontact {
namespace {

// An overlap within a box this thin, relative to the solids' size, is looked at twice: what cannot
// be proved to overlap counts as a touch, of which quadrature would integrate its own rounding.
constexpr double kTouchingDepth = 1e-13;
constexpr long kTouchCells = 1000;

// Cells are halved to this level at most: far below the resolution of double coefficients.
constexpr int kMaxLevel = 48;
// Descents by Newton steps cost as much as some 30 cells: all of the first cells, then a few.
constexpr long kEagerDescents = 32, kDescentInterval = 16;
// Re-expansions of surfaces of degree above two in a descent: 4^-10 of the cell.
constexpr int kRecentrings = 10;

struct Candidate {
  double bound;   // LowerBound of the expression over the cell: the lower, the more promising
  long sequence;  // breaks ties in order of creation
  Cell cell;
  int level;
  const Undecided* undecided;

  bool operator<(const Candidate& other) const {
    return bound != other.bound ? bound > other.bound : sequence > other.sequence;
  }
};

// What a search is for.
enum class Aim { kEither, kSeparation };

class OverlapSearch {
 public:
  OverlapProof Run(Aim aim, const SurfaceSet& set, const LocalFrame& root, long max_cells) {
    Localize(set, root, &problem_);
    if (problem_.expression.IsConstant()) {
      return problem_.expression.ConstantValue() ? OverlapProof::kOverlap
                                                 : OverlapProof::kSeparated;
    }
    Begin();
    Visit(Cell(), 0, &whole_);
    if (aim == Aim::kSeparation && !found_ && !queue_.empty() && EndsUndecided())
      return OverlapProof::kUndecided;
    while (!found_ && !queue_.empty() && cells_ < max_cells && !TimeLimit::IsOver()) {
      std::pop_heap(queue_.begin(), queue_.end());
      const Candidate candidate = queue_.back();
      queue_.pop_back();
      if (candidate.level >= kMaxLevel) {
        exhausted_ = true;
        continue;
      }
      VisitChildren(candidate);
    }
    if (found_) return OverlapProof::kOverlap;
    return queue_.empty() && !exhausted_ ? OverlapProof::kSeparated : OverlapProof::kUndecided;
  }

 private:
  void Begin() {
    whole_.expression = problem_.expression;
    whole_.expression.FindSurfaces(&whole_.surfaces);
    models_.resize(problem_.surfaces.size());
    states_.assign(problem_.surfaces.size(), Truth::kUnknown);
    pool_.Clear();
    queue_.clear();
    cells_ = 0;
    found_ = exhausted_ = false;
  }

  void VisitChildren(const Candidate& candidate) {
    for (int k = 0; k < 8 && !found_; ++k) {
      Visit(ChildOf(candidate.cell, k), candidate.level + 1, candidate.undecided);
    }
  }

  // Whether a cell of the last level, found depth first by the most promising children, stays
  // undecided: a touch, which no search settles.
  bool EndsUndecided() {
    std::vector<Candidate> left;
    while (!found_ && cells_ < kTouchCells) {
      std::sort_heap(queue_.begin(), queue_.end());
      left.insert(left.end(), queue_.begin(), queue_.end());
      queue_.clear();
      if (left.empty()) return false;
      const Candidate candidate = left.back();
      if (candidate.level >= kMaxLevel) return true;
      left.pop_back();
      VisitChildren(candidate);
    }
    queue_.insert(queue_.end(), left.begin(), left.end());
    std::make_heap(queue_.begin(), queue_.end());
    return false;
  }

  // Bounds a cell; queues it if it stays undecided.
  void Visit(const Cell& cell, int level, const Undecided* undecided) {
    ++cells_;
    const Expression& expression = Bound(cell, *undecided);
    if (expression.IsConstant()) {
      found_ |= expression.ConstantValue();
      return;
    }
    if (Refute(expression, models_.data())) return;
    if (cells_ <= kEagerDescents || cells_ % kDescentInterval == 0) {
      const Descent descent = Descend(expression, cell);
      found_ |= descent == Descent::kInterior;
      if (descent != Descent::kNeither) return;
    }
    const double bound = LowerBound(expression, models_.data());
    if (expression.nodes().size() != undecided->expression.nodes().size()) {
      Undecided* const left = pool_.New();
      left->expression = expression;
      left->expression.FindSurfaces(&left->surfaces);
      undecided = left;
    }
    queue_.push_back({bound, cells_, cell, level, undecided});
    std::push_heap(queue_.begin(), queue_.end());
  }

  // Models of the surfaces over the cell, and the expression that they leave.
  const Expression& Bound(const Cell& cell, const Undecided& undecided) {
    bool decided = false;
    for (const int s : undecided.surfaces) {
      models_[s] = Quadratize(problem_.surfaces[s], cell);
      states_[s] = Classify(models_[s]);
      decided |= states_[s] != Truth::kUnknown;
    }
    if (!decided) return undecided.expression;
    undecided.expression.Reduce(states_.data(), &reduced_);
    for (const int s : undecided.surfaces) states_[s] = Truth::kUnknown;
    return reduced_;
  }

  // Looks for a certain interior point within the cell, or a certain proof that there is none. The
  // models of quadrics are exact; for surfaces of higher degree the search goes on about the point
  // reached, in ever smaller cells.
  Descent Descend(const Expression& expression, Cell cell) {
    expression.FindSurfaces(&surfaces_);
    MostPromising(expression, models_.data(), &conjunction_);
    const bool exact = std::all_of(surfaces_.begin(), surfaces_.end(),
                                   [&](int s) { return problem_.surfaces[s].psi.degree <= 2; });
    local_ = models_;
    for (int round = 0; round < (exact ? 1 : kRecentrings); ++round) {
      Eigen::Vector3d t = Eigen::Vector3d::Zero();
      const Descent descent = FindInterior(conjunction_, local_.data(), &t);
      cell.center += cell.half.cwiseProduct(t);
      if (IsInterior(cell.center)) return Descent::kInterior;
      // A refutation counts if it is of the whole expression, in the whole cell.
      if (descent == Descent::kRefuted && round == 0 && expression.IsConjunction()) return descent;
      if (exact || descent == Descent::kRefuted) break;
      cell.half = (0.25 * cell.half).cwiseMin(Eigen::Vector3d::Ones() - cell.center.cwiseAbs());
      for (const int s : surfaces_) local_[s] = Quadratize(problem_.surfaces[s], cell);
    }
    return Descent::kNeither;
  }

  // Certifies a point. A literal that is certain there is so by a margin, hence in a neighbourhood.
  bool IsInterior(const Eigen::Vector3d& y) {
    for (const int s : whole_.surfaces) {
      states_[s] = Classify(Quadratize(problem_.surfaces[s], {y, Eigen::Vector3d::Zero()}));
    }
    const bool inside = problem_.expression.Evaluate(states_.data()) == Truth::kTrue;
    for (const int s : whole_.surfaces) states_[s] = Truth::kUnknown;
    return inside;
  }

  LocalProblem problem_;
  Undecided whole_;  // before any cell is looked at
  std::vector<QuadraticModel> models_, local_;
  std::vector<Truth> states_;
  Expression reduced_;
  Conjunction conjunction_;
  std::vector<int> surfaces_;     // of the conjunction's expression
  std::vector<Candidate> queue_;  // a heap
  UndecidedPool pool_;
  long cells_ = 0;
  bool found_ = false;
  bool exhausted_ = false;  // a cell of the last level was left undecided
};

OverlapSearch& Search() {
  thread_local OverlapSearch search;
  return search;
}

}  // namespace

OverlapProof TestOverlap(const SurfaceSet& set, const LocalFrame& root, long max_cells) {
  return Search().Run(Aim::kEither, set, root, max_cells);
}

OverlapProof TestSeparation(const SurfaceSet& set, const LocalFrame& root, long max_cells) {
  return Search().Run(Aim::kSeparation, set, root, max_cells);
}

bool IsTouch(const SurfaceSet& set, const LocalFrame& located, double size) {
  return located.half.minCoeff() <= kTouchingDepth * size &&
         TestOverlap(set, located, kTouchCells) != OverlapProof::kOverlap;
}

}  // namespace volcontact
