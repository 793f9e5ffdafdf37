// The integrals over a region that is bounded by polynomial surfaces.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "overlap/arcs/crossing/sector_pieces.h"
#include "overlap/frame/raw_answer.h"
#include "overlap/frame/surface_set.h"
#include "overlap/query/regions/workspace.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

// Both integrate over the region of the workspace's set, which `box` contains.

/// What is known of the two bodies that a region is the overlap of.
struct BodiesOfRegion {
  std::function<std::span<const KnownEdges>()> find_known = {};  ///< asked before edges are found
  /// Whether they are apart for certain; asked before cells look for edges.
  std::function<bool()> are_proven_apart = {};
};

/// By sums over its edges where that can be, else by columns; by these alone where they are asked
/// for. With a bracket.
void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer, const BodiesOfRegion& bodies = {});

/// The integrals over its parts in sectors, by sums over edges; without a bracket and projections.
/// Nothing for a sector whose sums do not converge; empty if there are no such sums.
std::vector<std::optional<RawAnswer>> IntegrateSectors(const Aabb& box, const Sectors& sectors,
                                                       const QueryOptions& options,
                                                       std::span<const KnownEdges> known,
                                                       Workspace* workspace);

/// The derivatives of that overlap by the motion of A, if another method finds its moments.
RawDerivatives Differentiate(const Aabb& box, const QueryOptions& options, Workspace* workspace);

}  // namespace volcontact
