#include "overlap/arcs/components.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"
#include "solids/mesh_check/disjoint_sets.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Levels below the first that sees a gap, so that gaps are wide beside the parts.
constexpr int kLevelsAfterGap = 3;
// The whole region counts as one part where there are so many cells and no gap yet.
constexpr std::size_t kMostPartCells = 2000;
// Boxes touch that are no farther from each other, for rounding.
constexpr double kTouching = 1e-12;

// The part of a cell that is split along some axes; the bits of `upper` tell on which side of each.
Cell Part(const Cell& cell, int splits, int upper) {
  Cell part = cell;
  for (int i = 0; i < 3; ++i) {
    if ((splits >> i & 1) == 0) continue;
    part.half[i] *= 0.5;
    part.center[i] += (upper >> i & 1) != 0 ? part.half[i] : -part.half[i];
  }
  return part;
}

// The cells that may hold some of the region, one level of the octree after the other. Keeps its
// memory.
class PartSearch {
 public:
  void Begin(const LocalProblem& problem) {
    problem_ = &problem;
    states_.assign(problem.surfaces.size(), Truth::kUnknown);
    models_.resize(problem.surfaces.size());
    whole_.expression = problem.expression;
    whole_.expression.FindSurfaces(&whole_.surfaces);
    level_.clear();
    cells_.clear();
    pools_[level_pool_].Clear();
    Look(Cell(), whole_);
  }

  // Halves cells where they are long: thin ones have no gaps across.
  void Descend() {
    parents_.swap(level_);
    level_.clear();
    cells_.clear();
    level_pool_ = 1 - level_pool_;
    pools_[level_pool_].Clear();
    for (const Candidate& parent : parents_) {
      halves_.clear();
      AddHalves(parent.cell, problem_->frame.half, &halves_);
      for (const Cell& cell : halves_) Look(cell, *parent.undecided);
    }
  }

  const std::vector<Cell>& cells() const { return cells_; }

 private:
  struct Candidate {
    Cell cell;
    const Undecided* undecided;
  };

  void Look(const Cell& cell, const Undecided& parent) {
    for (const int s : parent.surfaces) {
      models_[s] = Quadratize(problem_->surfaces[s], cell);
      states_[s] = Classify(models_[s]);
    }
    left_.AssignReduced(parent, states_);
    for (const int s : parent.surfaces) states_[s] = Truth::kUnknown;
    const Expression& left = left_.expression;
    const bool empty = left.IsConstant() ? !left.ConstantValue() : Refute(left, models_.data());
    if (empty) return;
    Undecided* const kept = pools_[level_pool_].New();
    *kept = left_;
    level_.push_back({cell, kept});
    cells_.push_back(cell);
  }

  const LocalProblem* problem_ = nullptr;
  std::vector<Truth> states_;
  std::vector<QuadraticModel> models_;
  Undecided whole_, left_;
  std::vector<Candidate> level_, parents_;
  std::vector<Cell> cells_, halves_;    // of the level
  std::array<UndecidedPool, 2> pools_;  // of the level, and of its parents
  int level_pool_ = 0;
};

// Boxes around candidates that touch: those of which the boxes touch become one, until none do.
void Join(const std::vector<Cell>& level, std::vector<Cell>* parts) {
  parts->clear();
  for (Cell cell : level) {
    for (std::size_t k = 0; k < parts->size();) {
      if (GapBetween((*parts)[k], cell) > kTouching) {
        ++k;
        continue;
      }
      cell = Hull((*parts)[k], cell);
      parts->erase(parts->begin() + static_cast<std::ptrdiff_t>(k));
      k = 0;
    }
    parts->push_back(cell);
  }
}

// Where a cell lies in the grid of its level, all cells of which are of one size, as one number;
// and the steps to its neighbours: the half of them, as the others have it for theirs.
constexpr long kRow = 1L << (kComponentDepth + 2);

long PlaceOf(const Cell& cell) {
  long place = 0;
  for (int i = 0; i < 3; ++i) {
    place = place * kRow + std::lround(0.5 * ((cell.center[i] + 1.0) / cell.half[i] - 1.0)) + 1;
  }
  return place;
}

std::array<long, 13> HalfOfNeighbours() {
  std::array<long, 13> steps;
  for (int k = 0; k < 13; ++k) {
    steps[k] = ((k / 9 - 1) * kRow + k / 3 % 3 - 1) * kRow + k % 3 - 1;
  }
  return steps;
}

// For every cell, the first cell that it is connected with.
std::vector<int> FirstOfComponents(const std::vector<Cell>& level) {
  static const std::array<long, 13> kSteps = HalfOfNeighbours();
  const int count = static_cast<int>(level.size());
  std::unordered_map<long, int> at(2 * level.size());
  DisjointSets components(count);
  for (int i = 0; i < count; ++i) at.emplace(PlaceOf(level[i]), i);
  for (const auto& [place, i] : at) {
    for (const long step : kSteps) {
      const auto next = at.find(place + step);
      if (next != at.end()) components.Join(i, next->second);
    }
  }
  std::vector<int> firsts;
  for (int i = 0; i < count; ++i) firsts.push_back(components.Find(i));
  return firsts;
}

}  // namespace

void AddHalves(const Cell& cell, const Vector3d& half, std::vector<Cell>* halves) {
  const Vector3d length = cell.half.cwiseProduct(half);
  int splits = 0;
  for (int i = 0; i < 3; ++i) splits |= (2.0 * length[i] > length.maxCoeff() ? 1 : 0) << i;
  for (int k = 0; k < 8; ++k) {
    if ((k & ~splits) == 0) halves->push_back(Part(cell, splits, k));
  }
}

std::vector<std::vector<Cell>> JoinTouching(const std::vector<Cell>& level) {
  const std::vector<int> firsts = FirstOfComponents(level);
  std::map<int, std::vector<Cell>> by_first;
  for (std::size_t i = 0; i < firsts.size(); ++i) by_first[firsts[i]].push_back(level[i]);
  std::vector<std::vector<Cell>> components;
  for (auto& [first, cells] : by_first) components.push_back(std::move(cells));
  return components;
}

std::vector<std::vector<Cell>> FindComponents(const LocalProblem& problem, std::size_t most_cells) {
  thread_local PartSearch search;
  search.Begin(problem);
  return ComponentsOf(&search, most_cells);
}

void SeparateParts(const LocalProblem& problem, std::vector<Cell>* parts) {
  thread_local PartSearch search;
  search.Begin(problem);
  Join(search.cells(), parts);
  int more = kLevelsAfterGap;
  for (int depth = 0; depth < kComponentDepth && more > 0 && !parts->empty(); ++depth) {
    if (search.cells().size() > kMostPartCells) break;
    search.Descend();
    Join(search.cells(), parts);
    if (parts->size() > 1) --more;
  }
}

}  // namespace volcontact
