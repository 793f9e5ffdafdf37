// The distance of a combination with a mesh in it.
#pragma once

#include "math/rigid.h"
#include "overlap/distance/distance_parts.h"
#include "overlap/distance/faces/nearest_pair.h"

namespace volcontact {

/// A lower bound of the distance between P and Q, with nearest points, in P's frame. P is an
/// intersection or difference with one mesh in it. Q is a mesh, or a solid without one. The bound
/// is within 10 % unless the effort is spent. The search ends early once the distance is certainly
/// at least `enough` [m]. The bound is 0 if they meet or nothing was proved, as for several meshes
/// in P and for an unbounded P. The search compares pairs of cells of the boundaries. P's boundary
/// consists of the mesh where it bounds P, and of P's other surfaces inside and outside of the
/// mesh. Cost: 1 to 60 ms, and the proof that neither lies in the other.
NearestPair CombinedDistance(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                             double enough);

}  // namespace volcontact
