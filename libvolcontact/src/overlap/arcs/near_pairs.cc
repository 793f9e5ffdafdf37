#include "overlap/arcs/near_pairs.h"

#include <algorithm>

#include "math/parallel.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Of no more surfaces it is not asked; nor in cells with so few.
constexpr std::size_t kFewOfRegion = 20, kFewOfCell = 5;

}  // namespace

// Cells are dyadic, so that boxes of them are exact and their order does not matter.
void NearPairs::Join(const Pair& found, Pair* pair) const {
  if (found.thirds == 0) return;
  const Cell &box = pair->box, &other = found.box;
  const bool is_new = pair->thirds == 0;
  const Vector3d low = other.center - other.half, high = other.center + other.half;
  const Vector3d least = is_new ? low : low.cwiseMin(box.center - box.half).eval();
  const Vector3d most = is_new ? high : high.cwiseMax(box.center + box.half).eval();
  pair->box = {0.5 * (least + most), 0.5 * (most - least)};
  pair->thirds |= found.thirds;
}

// All surfaces of a cell are near each other.
void NearPairs::Note(const Cell& cell, const std::vector<int>& surfaces,
                     std::vector<Pair>* pairs) const {
  Pair found{0, cell};
  for (const int s : surfaces) found.thirds |= std::uint64_t{1} << rank_[s];
  for (const int first : surfaces) {
    for (const int second : surfaces) Join(found, &(*pairs)[rank_[first] * count_ + rank_[second]]);
  }
}

// Finds what is left in a cell; false where that is nothing, or noted.
bool NearPairs::Descend(const Cell& cell, const Undecided& parent, int depth, Search* search,
                        Undecided* left) const {
  for (const int s : parent.surfaces) {
    search->states[s] = Classify(Linearize(problem_->surfaces[s], cell));
  }
  left->AssignReduced(parent, search->states);
  for (const int s : parent.surfaces) search->states[s] = Truth::kUnknown;
  if (left->expression.IsConstant()) return false;
  if (depth < kPairDepth && left->surfaces.size() > kFewOfCell) return true;
  Note(cell, left->surfaces, &search->pairs);
  return false;
}

void NearPairs::Visit(const Cell& cell, const Undecided& parent, int depth, Search* search) const {
  Undecided& left = search->levels[depth];
  if (!Descend(cell, parent, depth, search, &left)) return;
  for (int k = 0; k < 8; ++k) Visit(ChildOf(cell, k), left, depth + 1, search);
}

void NearPairs::SearchCells(const std::vector<int>& surfaces, int threads) {
  whole_.expression = problem_->expression;
  whole_.surfaces = surfaces;
  searches_.resize(std::max(searches_.size(), static_cast<std::size_t>(std::max(1, threads))));
  for (Search& search : searches_) {
    search.pairs.assign(count_ * count_, {});
    search.states.assign(problem_->surfaces.size(), Truth::kUnknown);
  }
  const Cell cube;
  std::array<bool, 8> goes_on;
  ParallelFor(goes_on.size(), threads, [&](std::size_t k, int worker) {
    goes_on[k] =
        Descend(ChildOf(cube, static_cast<int>(k)), whole_, 1, &searches_[worker], &octants_[k]);
  });
  ParallelFor(64, threads, [&](std::size_t n, int worker) {
    const int k = static_cast<int>(n / 8), child = static_cast<int>(n % 8);
    if (!goes_on[k]) return;
    Visit(ChildOf(ChildOf(cube, k), child), octants_[k], 2, &searches_[worker]);
  });
  for (const Search& search : searches_) {
    for (std::size_t n = 0; n < pairs_.size(); ++n) Join(search.pairs[n], &pairs_[n]);
  }
}

void NearPairs::Run(const LocalProblem& problem, const std::vector<int>& surfaces, int threads) {
  problem_ = &problem;
  count_ = surfaces.size();
  rank_.assign(problem.surfaces.size(), 0);
  for (std::size_t n = 0; n < count_; ++n) rank_[surfaces[n]] = n;
  pairs_.assign(count_ * count_, {});
  all_near_ = count_ <= kFewOfRegion;
  if (all_near_) {
    Note(Cell(), surfaces, &pairs_);
  } else {
    SearchCells(surfaces, threads);
  }
}

}  // namespace volcontact
