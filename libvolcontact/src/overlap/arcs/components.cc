#include "overlap/arcs/components.h"

#include <algorithm>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr int kPartDepth = 7;
// The whole region counts as one part from so many cells on.
constexpr std::size_t kMostPartCells = 3000;
// Boxes touch that are no farther from each other, for rounding.
constexpr double kTouching = 1e-12;

// The cells that may hold some of the region.
class PartSearch {
 public:
  explicit PartSearch(const LocalProblem& problem)
      : problem_(problem),
        states_(problem.surfaces.size(), Truth::kUnknown),
        models_(problem.surfaces.size()) {}

  void Visit(const Cell& cell, const Expression& expression, int depth) {
    if (cells_.size() > kMostPartCells) return;
    const std::vector<int> surfaces = expression.Surfaces();
    for (const int s : surfaces) {
      models_[s] = Quadratize(problem_.surfaces[s], cell);
      states_[s] = Classify(models_[s]);
    }
    Expression reduced;
    expression.Reduce(states_.data(), &reduced);
    for (const int s : surfaces) states_[s] = Truth::kUnknown;
    if (reduced.IsConstant()) {
      if (reduced.ConstantValue()) cells_.push_back(cell);
      return;
    }
    if (Refute(reduced, models_.data())) return;
    if (depth == kPartDepth) {
      cells_.push_back(cell);
      return;
    }
    for (int k = 0; k < 8; ++k) Visit(ChildOf(cell, k), reduced, depth + 1);
  }

  const std::vector<Cell>& cells() const { return cells_; }

 private:
  const LocalProblem& problem_;
  std::vector<Truth> states_;
  std::vector<QuadraticModel> models_;
  std::vector<Cell> cells_;
};

Cell Hull(const Cell& a, const Cell& b) {
  const Vector3d low = (a.center - a.half).cwiseMin(b.center - b.half);
  const Vector3d high = (a.center + a.half).cwiseMax(b.center + b.half);
  return {0.5 * (low + high), 0.5 * (high - low)};
}

}  // namespace

std::vector<Cell> SeparateParts(const LocalProblem& problem) {
  PartSearch search(problem);
  search.Visit(Cell(), problem.expression, 0);
  if (search.cells().size() > kMostPartCells) return {Cell()};
  // Boxes that touch become one, until none do.
  std::vector<Cell> parts;
  for (Cell cell : search.cells()) {
    for (std::size_t k = 0; k < parts.size();) {
      if (GapBetween(parts[k], cell) > kTouching) {
        ++k;
        continue;
      }
      cell = Hull(parts[k], cell);
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
      k = 0;
    }
    parts.push_back(cell);
  }
  return parts;
}

}  // namespace volcontact
