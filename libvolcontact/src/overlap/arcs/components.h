// The separate parts of a region.
#pragma once

#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Boxes of the unit cube, apart from each other, which contain the problem's region: certified. Of
/// a shallow octree the first level that sees a gap tells them, so that each may be of several
/// parts; none for an empty region, one where there is no gap down to the last level, or there are
/// too many cells before.
void SeparateParts(const LocalProblem& problem, std::vector<Cell>* parts);

}  // namespace volcontact
