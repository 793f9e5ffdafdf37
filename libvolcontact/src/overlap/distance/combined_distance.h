// The distance of a combination with a mesh in it.
#pragma once

#include "math/rigid.h"
#include "overlap/distance/distance_parts.h"
#include "overlap/distance/nearest_pair.h"

namespace volcontact {

/// The distance of P, an intersection or difference with one mesh in it, and Q, a mesh or a solid
/// without one, within 10 % unless the effort is spent, or to where it is certainly not less than
/// `enough` [m], with nearest points, in P's frame. 0 where
/// they meet or nothing was proved, as for more meshes in P and for an unbounded P. Pairs of cells
/// of the boundaries: of the mesh where it matters to P, and of what P is inside and outside of the
/// mesh, as far as that is inside, or outside. Cost: 1 to 60 ms, and the proof that neither lies in
/// the other.
NearestPair CombinedDistance(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                             double enough);

}  // namespace volcontact
