// The separate parts of a region.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Boxes of the unit cube, apart from each other, which contain the problem's region: certified. Of
/// a shallow octree the first level that sees a gap gives them, so that each may be of several
/// parts; none for an empty region, one where there is no gap down to the last level, or there are
/// too many cells before.
void SeparateParts(const LocalProblem& problem, std::vector<Cell>* parts);

/// Cells of one level of the octree, which contain the problem's region, by connected component:
/// certified, each list apart from the others. The first level that sees a gap gives them, and one
/// more, so that each may be of several parts; else the first with more than `most_cells`.
std::vector<std::vector<Cell>> FindComponents(const LocalProblem& problem, std::size_t most_cells);

/// Levels of such an octree.
inline constexpr int kComponentDepth = 10;

/// Adds the halves of a cell, across those of its sides that are long in metres: `half` are the
/// cube's half extents.
void AddHalves(const Cell& cell, const Eigen::Vector3d& half, std::vector<Cell>* halves);

/// The cells of one level by connected component.
std::vector<std::vector<Cell>> JoinTouching(const std::vector<Cell>& level);

/// The components of what a search finds that begins with the cube: cells() of a level, and
/// Descend() to the next one. See FindComponents.
template <class Search>
std::vector<std::vector<Cell>> ComponentsOf(Search* search, std::size_t most_cells) {
  // Below the first level that sees a gap.
  constexpr int kLevelsAfterSplit = 1;
  std::vector<std::vector<Cell>> components = JoinTouching(search->cells());
  int more = kLevelsAfterSplit;
  for (int depth = 0; depth < kComponentDepth && more >= 0 && search->cells().size() <= most_cells;
       ++depth) {
    search->Descend();
    components = JoinTouching(search->cells());
    if (components.size() > 1) --more;
  }
  return components;
}

}  // namespace volcontact
