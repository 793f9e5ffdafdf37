// The integrals over a region that is bounded by polynomial surfaces.
#pragma once

#include "overlap/frame/raw_answer.h"
#include "overlap/frame/surface_set.h"
#include "overlap/query/workspace.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

/// Integrates over the region of the workspace's set, which `box` contains: by sums over its edges,
/// or where these are not to be had, or not to be believed, by columns, with the reason in the
/// answer. With a bracket.
void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer);

}  // namespace volcontact
