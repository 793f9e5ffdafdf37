// Patch quadrature: polar column quadrature over the contact patch of two convex solids.
#pragma once

#include <optional>
#include <vector>

#include "integration/local_problem.h"
#include "integration/locate.h"
#include "integration/raw_metrics.h"
#include "integration/region_sums.h"
#include "integration/slice.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

struct PatchOptions {
  double tolerance = 1e-6;
  long max_columns = 2'000'000;
};

struct PatchResult {
  RawMetrics raw;  ///< volume zero: no overlap
  long cells = 0;
  long sectors = 0;
};

/// Integrates a convex region with columns over polar coordinates about an axis through its interior:
/// every half-slice through the axis is met by one interval per column, up to a rim. Gauss rules along
/// the radius on pieces between changes of the bounding surfaces; around the axis the trapezoidal
/// rule, which converges spectrally where the rim is smooth, and Gauss rules between the angles at
/// which the sequence of surfaces along a ray changes, where it is not.
class Patch {
 public:
  /// nullopt when the quadrature does not reach the tolerance; the octree must answer then.
  std::optional<PatchResult> Run(const SurfaceSet& set, const Aabb& box,
                                 const PatchOptions& options);

 private:
  LocalProblem problem_;
  Locator locator_;
};

}  // namespace volcontact
