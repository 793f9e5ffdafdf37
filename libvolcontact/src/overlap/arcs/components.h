// The separate parts of a region.
#pragma once

#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Boxes of the unit cube, each around cells that hang together, which contain the problem's
/// region: certified. Several where a shallow octree sees gaps between them; none for an empty
/// region, one where there are more cells than it looks at.
std::vector<Cell> SeparateParts(const LocalProblem& problem);

}  // namespace volcontact
