// The integrals over a region that is bounded by polynomial surfaces.
#pragma once

#include "overlap/frame/raw_answer.h"
#include "overlap/frame/surface_set.h"
#include "overlap/query/workspace.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

// All of them integrate over the region of the workspace's set, which `box` contains, and give a
// bracket.

/// By sums over its edges; false, with the reason in the answer, when these are not to be had, or
/// not to be believed.
bool SumEdges(const Aabb& box, const QueryOptions& options, Workspace* workspace,
              RawAnswer* answer);

/// By columns.
void IntegrateColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                      RawAnswer* answer);

/// By sums over edges where that can be, else by columns.
void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer);

}  // namespace volcontact
