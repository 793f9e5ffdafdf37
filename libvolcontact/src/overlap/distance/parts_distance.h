// The distance of two solids of which one has meshes in it.
#pragma once

#include <vector>

#include "math/rigid.h"
#include "overlap/distance/distance_parts.h"
#include "overlap/distance/nearest_pair.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Immutable.
class PartsDistance {
 public:
  PartsDistance(const Solid& A, const Solid& B);

  struct Result {
    NearestPair pair;  ///< in A's frame
    /// The bound holds for the boundaries only: one solid, or a part of it, may lie in the other.
    bool is_of_surfaces = false;
  };
  /// A certified lower bound of the distance at X_AB, 0 where the solids meet or nothing was
  /// proved. Within 10 % of the distance where parts of the solids that are nearest are meshes,
  /// boxes, or other solids without a mesh; an intersection or difference with a mesh in it is as
  /// near as the farthest of its operands, which may be less. Cost: from some 10 µs for a mesh and
  /// a convex primitive; to some 60 ms for a mesh and combinations (separation.h).
  Result Run(const Rigid& X_AB) const;

 private:
  std::vector<DistancePart> A_, B_;
};

}  // namespace volcontact
