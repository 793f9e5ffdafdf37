// The distance of two solids, one of which contains meshes.
#pragma once

#include <vector>

#include "math/rigid.h"
#include "overlap/distance/distance_parts.h"
#include "overlap/distance/faces/nearest_pair.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Immutable.
class PartsDistance {
 public:
  PartsDistance(const Solid& A, const Solid& B);

  /// A certified lower bound of the distance at X_AB, and nearest points, in A's frame. 0 if the
  /// solids meet or nothing was proved. The bound is within 10 % of the distance if the nearest
  /// parts are meshes, boxes or other solids without a mesh, or if one of them is an intersection
  /// or difference with one mesh in it. For combinations of several meshes it is the distance of
  /// the farthest operand, which may be less. Cost: from some 10 µs for a mesh and a convex
  /// primitive to some 100 ms for a mesh and combinations (separation.h).
  NearestPair Run(const Rigid& X_AB) const;

 private:
  std::vector<DistancePart> A_, B_;
};

}  // namespace volcontact
