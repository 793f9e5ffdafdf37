#include "overlap/arcs/near_pairs.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Of no more surfaces it is not asked; nor in cells with so few, or of that depth.
constexpr std::size_t kFewOfRegion = 20, kFewOfCell = 5;
constexpr int kPairDepth = 3;

}  // namespace

// All surfaces of a cell are near each other.
void NearPairs::Note(const Cell& cell, const std::vector<int>& surfaces) {
  std::uint64_t bits = 0;
  for (const int s : surfaces) bits |= std::uint64_t{1} << rank_[s];
  const Vector3d low = cell.center - cell.half, high = cell.center + cell.half;
  for (const int first : surfaces) {
    for (const int second : surfaces) {
      Pair& pair = pairs_[rank_[first] * count_ + rank_[second]];
      const Cell& box = pair.box;
      const bool is_new = pair.thirds == 0;
      const Vector3d least = is_new ? low : low.cwiseMin(box.center - box.half).eval();
      const Vector3d most = is_new ? high : high.cwiseMax(box.center + box.half).eval();
      pair.box = {0.5 * (least + most), 0.5 * (most - least)};
      pair.thirds |= bits;
    }
  }
}

void NearPairs::Visit(const Cell& cell, const Undecided& parent, int depth) {
  for (const int s : parent.surfaces) {
    states_[s] = Classify(Linearize(problem_->surfaces[s], cell));
  }
  Undecided& left = levels_[depth];
  left.AssignReduced(parent, states_);
  for (const int s : parent.surfaces) states_[s] = Truth::kUnknown;
  if (left.expression.IsConstant()) return;
  if (depth == kPairDepth || left.surfaces.size() <= kFewOfCell) {
    Note(cell, left.surfaces);
    return;
  }
  for (int k = 0; k < 8; ++k) Visit(ChildOf(cell, k), left, depth + 1);
}

void NearPairs::Run(const LocalProblem& problem, const std::vector<int>& surfaces) {
  problem_ = &problem;
  count_ = surfaces.size();
  rank_.assign(problem.surfaces.size(), 0);
  for (std::size_t n = 0; n < count_; ++n) rank_[surfaces[n]] = n;
  pairs_.assign(count_ * count_, {});
  all_near_ = count_ <= kFewOfRegion;
  if (all_near_) {
    Note(Cell(), surfaces);
    return;
  }
  states_.assign(problem.surfaces.size(), Truth::kUnknown);
  levels_.resize(kPairDepth + 1);
  Visit(Cell(), {problem.expression, surfaces}, 0);
}

}  // namespace volcontact
