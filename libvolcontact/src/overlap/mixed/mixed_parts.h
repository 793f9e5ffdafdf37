// The parts of an overlap with meshes that lie apart.
#pragma once

#include <functional>

#include "overlap/frame/raw_answer.h"
#include "overlap/mixed/mixed_overlap.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

/// Gives the answer for each connected part of A ∩ B, of which a bounded box in A holds all, to
/// `take`, before the workspace is used again. Gaps are looked for between cells of an octree along
/// the contact, then about each part along its own, until there are none; parts are cut out by
/// planes between them, or by an ellipsoid or a box around one. Those that none of these separates
/// come as one, and so do parts with a gap below some twentieth of what is around. Cost: a
/// query a part, and 2 to 20 ms to look for gaps in each.
void ForEachPart(const MixedOverlap& pair, const Rigid& X_AB, const Aabb& box,
                 const QueryOptions& options, MixedWorkspace* workspace,
                 const std::function<void(RawAnswer& answer)>& take);

}  // namespace volcontact
