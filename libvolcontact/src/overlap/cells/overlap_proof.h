// Proves whether two solids overlap.
#pragma once

#include "overlap/frame/local_problem.h"
#include "volcontact/overlap/overlap_proof.h"

namespace volcontact {

/// Whether the set's region meets the interior of the root frame's box; kSeparated: it has no
/// interior point there. Stops at the first proof: a cell inside, a point strictly inside all
/// surfaces (found by Newton steps from the most promising cells), or no cell left. Thin overlaps
/// and thin gaps (1e-8 of the box, any orientation) take a few cells; a flat gap of two curved
/// walls takes (area / gap) of them.
OverlapProof TestOverlap(const SurfaceSet& set, const LocalFrame& root, long max_cells);

/// The same where kSeparated alone matters. Gives up, with kUndecided, if one of the first cells
/// ends in a touch to rounding, because then no number of cells proves that there is nothing.
OverlapProof TestSeparation(const SurfaceSet& set, const LocalFrame& root, long max_cells);

/// Whether a region that was located in a frame counts as a touch: the frame's box is as thin as
/// roundings of a box of half width `size` [m], and the region is not proved to have an interior.
bool IsTouch(const SurfaceSet& set, const LocalFrame& located, double size);

}  // namespace volcontact
