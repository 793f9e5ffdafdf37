// Contact patches of one pair from one moment to the next: which are new, kept, lost, which have
// grown together, and which have come apart.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Where a patch is on both bodies, to be found again. A plain value.
struct PatchMark {
  double volume = 0.0;                                ///< V [m³]
  Eigen::Vector3d point_A = Eigen::Vector3d::Zero();  ///< its centroid in A's frame [m]
  Eigen::Vector3d point_B = Eigen::Vector3d::Zero();  ///< the same in B's [m]
  double radius = 0.0;                                ///< √(∫ r² dV / V) about it [m]
  int piece = 0;  ///< of a divided contact, counted from 1; 0: it is not divided
};

/// The mark of a patch at the world poses of the solids' frames.
VOLCONTACT_EXPORT PatchMark MarkOf(const Metrics& patch, const Pose& X_WA, const Pose& X_WB,
                                   int piece = 0);

/// For every patch now, the patches before from which it has come, ascending: none, a new one; one
/// that no other has, kept; several, grown together; one that others have, too, come apart.
///
/// Every patch is the nearest one before, along whichever body it has moved less, within ten times
/// the radii of both. One left over before has grown into the nearest of which the volume has risen
/// by more than half of its own, else it is lost; one left over now has come off the nearest of
/// which the volume has fallen by more than half of its own, else it is new. A piece of a divided
/// contact is the same piece wherever it is, and no other. Cost: the numbers of both multiplied, a
/// few nanoseconds each.
VOLCONTACT_EXPORT std::vector<std::vector<int>> TrackPatches(const std::vector<PatchMark>& before,
                                                             const std::vector<PatchMark>& now);

VOLCONTACT_NAMESPACE_END
