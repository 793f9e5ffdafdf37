// The parts of a region that lie apart.
#pragma once

#include <vector>

#include "overlap/frame/surface_set.h"
#include "overlap/query/regions/workspace.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// One part of a region, which is all there is of a set; and a box around it, in the set's frame.
struct RegionPart {
  SurfaceSet set;
  Aabb box;
};

/// The parts of a region, which `box` contains, that lie apart: certified to be all of it. Gaps are
/// looked for between cells of an octree about the region, then about each part along its own
/// contact, until there are none. Parts are cut out by planes between them, or by a box around one;
/// those that neither separates, as links of a chain, come as one, and so do parts with a gap
/// below some twentieth of the region's width. None for a region without volume. Cost: some 0.1 ms
/// a part that is convex, 1 to 5 ms one that is not.
std::vector<RegionPart> FindParts(const SurfaceSet& set, const Aabb& box, Workspace* workspace);

}  // namespace volcontact
