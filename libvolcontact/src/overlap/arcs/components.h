// The separate parts of a region.
#pragma once

#include <cstddef>
#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Boxes of the unit cube, apart from each other, which contain the problem's region: certified. Of
/// a shallow octree the first level that sees a gap tells them, so that each may be of several
/// parts; none for an empty region, one where there is no gap down to the last level, or there are
/// too many cells before.
void SeparateParts(const LocalProblem& problem, std::vector<Cell>* parts);

/// Cells of one level of the octree, which contain the problem's region, by what hangs together:
/// certified, each list apart from the others. The first level that sees a gap tells them, and one
/// more, so that each may be of several parts; else the first with more than `most_cells`.
std::vector<std::vector<Cell>> FindComponents(const LocalProblem& problem, std::size_t most_cells);

}  // namespace volcontact
