// Converts sums over a boundary in the cube to integrals in metres.
#pragma once

#include <Eigen/Core>

#include "overlap/arcs/faces/boundary_sums.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"

namespace volcontact {

/// By how much a boundary fails to close, as a volume in the cube: ∫ n = 0, and ∫ p n' = V times
/// the identity.
double OpenPart(const BoundarySums& sums);

/// From the coordinates of the cube to the frame's; without an error.
RawMetrics ToRaw(const LocalFrame& frame, const BoundarySums& all, const BoundarySums& of_B);

}  // namespace volcontact
