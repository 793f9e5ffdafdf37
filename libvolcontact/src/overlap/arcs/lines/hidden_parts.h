// Parts of an overlap that lie behind each other.
#pragma once

#include <Eigen/Core>
#include <span>

#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"

namespace volcontact {

inline constexpr const char* kAreaOfParts =
    "the contact area counts each part of the contact: it is too large where they lie behind each "
    "other along the normal";

/// The region of a set in a frame's box.
struct FramedRegion {
  const SurfaceSet* set;
  LocalFrame frame;
};

/// Whether the boxes of some regions lie behind each other along a unit vector of the sets' frame.
/// Where they do not the areas of the regions' projections add up to that of all of them.
bool MayPartsHide(std::span<const FramedRegion> parts, const Eigen::Vector3d& direction);

/// Whether lines along a unit vector of the sets' frame meet more than one of some regions, so that
/// the areas of their projections do not add up to that of all of them. Lines are asked on grids
/// where the boxes lie behind each other: what is narrower than a sixteenth of both may be missed.
bool DoPartsHide(std::span<const FramedRegion> parts, const Eigen::Vector3d& direction);

}  // namespace volcontact
