// The integrals over a region that is bounded by polynomial surfaces.
#pragma once

#include <span>

#include "overlap/frame/raw_answer.h"
#include "overlap/frame/surface_set.h"
#include "overlap/query/workspace.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

// Both integrate over the region of the workspace's set, which `box` contains.

/// By sums over its edges where that can be, else by columns; by these alone where they are asked
/// for. With a bracket. `known`: what is known of the edges of A and of B.
void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer, std::span<const KnownEdges> known = {});

/// The derivatives of that overlap by the motion of A, where another method tells its moments.
RawDerivatives Differentiate(const Aabb& box, const QueryOptions& options, Workspace* workspace);

}  // namespace volcontact
