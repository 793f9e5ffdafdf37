// Regions bounded by planes only: no quadrature needed.
#pragma once

#include <optional>

#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"

namespace volcontact {

/// The integrals over a problem's region when its expression is a conjunction of planes (few enough
/// for ConvexPolytope), by clipping its box; nullopt otherwise, and when the region does not end
/// within the box.
std::optional<RawMetrics> IntegratePlanarRegion(const LocalProblem& problem);

}  // namespace volcontact
