// Moments of the solid that one triangle mesh bounds.
#pragma once

#include "overlap/frame/raw_metrics.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// In the mesh's frame; from the sums that the mesh's tree holds, so at no cost in proportion to
/// its faces. The volume's error is a bound, not an estimate.
RawMetrics MeshMoments(const MeshTree& mesh);

}  // namespace volcontact
