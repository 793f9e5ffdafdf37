// The octree's cells of an overlap, to look at.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A cell of an octree, a box in its frame C. A plain value.
struct OverlapCell {
  Eigen::Vector3d center_C = Eigen::Vector3d::Zero(), half = Eigen::Vector3d::Zero();  ///< [m]
  bool inside = false;  ///< certainly within the overlap; else its boundary may pass through
};

/// Cells that together hold an overlap. A plain value that owns its list.
struct OverlapCells {
  Pose X_WC;
  std::vector<OverlapCell> cells;
};

/// The cells of the octree over the box in which queries look for A ∩ B, for the given world poses
/// of their frames: halved `levels` times, in [0, 6], where the boundary may pass, and left whole
/// where that is certain not to be. Cells that are certain to be outside are left out; all of them,
/// without an overlap. Throws InvalidInput for another number of levels, bad poses, an overlap
/// without bounds, and meshes, which have no octree. Cost: some microseconds a cell and surface.
VOLCONTACT_EXPORT OverlapCells FindOverlapCells(const Solid& A, const Pose& X_WA, const Solid& B,
                                                const Pose& X_WB, int levels = 4);

VOLCONTACT_NAMESPACE_END
