// Tracks the contact patches of one pair between two times: which patches are new, kept, lost,
// joined or split.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Position and size of a patch on both bodies, to identify it later. A plain value.
struct PatchMark {
  double volume = 0.0;                                ///< V [m³]
  Eigen::Vector3d point_A = Eigen::Vector3d::Zero();  ///< its centroid in A's frame [m]
  Eigen::Vector3d point_B = Eigen::Vector3d::Zero();  ///< the same in B's [m]
  double radius = 0.0;                                ///< √(∫ r² dV / V) about it [m]
  int piece = 0;  ///< sector of a divided contact, from 1; 0: the contact is not divided
};

/// The mark of a patch at the world poses of the solids' frames.
VOLCONTACT_EXPORT PatchMark MarkOf(const Metrics& patch, const Pose& X_WA, const Pose& X_WB,
                                   int piece = 0);

/// For each current patch, the indices of the earlier patches that it has come from, ascending. No
/// index: the patch is new. One index that no other patch has: it is kept. Several indices: these
/// patches have joined. One index that other patches also have: the earlier patch has split.
///
/// A current patch matches the nearest earlier patch within ten times the radii of both. The
/// distance is measured on the body on which the patch has moved less. An earlier patch without a
/// match has joined the nearest patch whose volume has grown by more than half of the earlier
/// patch's volume; otherwise it is lost. A current patch without a match has split from the nearest
/// patch whose volume has fallen by more than half of the current patch's volume; otherwise it is
/// new. A sector of a divided contact only matches the same sector. A contact that was one, and is
/// divided now, has split into all of its sectors. Cost: the product of both numbers, a few
/// nanoseconds each.
VOLCONTACT_EXPORT std::vector<std::vector<int>> TrackPatches(const std::vector<PatchMark>& before,
                                                             const std::vector<PatchMark>& now);

VOLCONTACT_NAMESPACE_END
