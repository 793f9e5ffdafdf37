#include "overlap/cells/undecided_cells.h"

#include "overlap/cells/even_cells.h"
#include "overlap/cells/reduce_undecided.h"

namespace volcontact {
namespace {

// In cells with no more surfaces it is not worth a smaller one.
constexpr std::size_t kFewOfCell = 24;
// Levels of cells: boxes smaller than the last ones ask about few surfaces already.
constexpr int kMostLevels = 10;

// Twice as wide, as far as that lies in the cube.
Cell ReachOf(const Cell& place) {
  const Eigen::Vector3d low = (place.center - 2.0 * place.half).cwiseMax(-1.0),
                        high = (place.center + 2.0 * place.half).cwiseMin(1.0);
  return {0.5 * (low + high), 0.5 * (high - low)};
}

}  // namespace

void UndecidedCells::Begin(const LocalProblem& problem, const Undecided& whole) {
  problem_ = &problem;
  whole_ = whole;
  pool_.Clear();
  nodes_.clear();
  nodes_.push_back({Cell(), &whole_});
}

// One of the eight cells in a cell, made where it is not there.
int UndecidedCells::ChildAround(int node, int k, const Cell& place) {
  if (nodes_[node].children[k] != 0) return nodes_[node].children[k];
  const Cell reach = ReachOf(place);
  const auto truth_of = [&](int s) { return ClassifyIn(problem_->surfaces[s], reach); };
  Undecided* const left = pool_.New();
  ReduceUndecided(*nodes_[node].left, truth_of, left);
  const int child = static_cast<int>(nodes_.size());
  nodes_[node].children[k] = child;
  nodes_.push_back({place, left});
  return child;
}

const Undecided& UndecidedCells::Around(const Cell& box) {
  int node = 0;
  for (int level = 0; level < kMostLevels; ++level) {
    const Node& at = nodes_[node];
    if (at.left->surfaces.size() <= kFewOfCell) break;
    Cell place = at.place;
    int k = 0;
    for (int bit = 1; bit < 8; bit *= 2) {
      const int axis = LongestAxis(*problem_, place);
      const bool upper = box.center[axis] > place.center[axis];
      place = HalfOf(place, axis, upper);
      if (upper) k += bit;
    }
    // A cell's place holds the middle of the box; its reach, half as wide beyond, all of it.
    if (((place.half - box.half).array() < 0.0).any()) break;
    node = ChildAround(node, k, place);
  }
  return *nodes_[node].left;
}

}  // namespace volcontact
