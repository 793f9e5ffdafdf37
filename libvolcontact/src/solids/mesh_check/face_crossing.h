// How two triangles meet.
#pragma once

#include <Eigen/Core>
#include <array>

namespace volcontact {

enum class Meeting {
  kApart,  ///< no common point, or they only touch
  kCross,  ///< each passes through the other along a segment
  kOverlap,
  kEdgeOfFirst,   ///< an edge of the first lies in the second and off its edges, along a segment
  kEdgeOfSecond,  ///< the other way round
};

struct FaceMeeting {
  Meeting kind = Meeting::kApart;
  int corner = 0;  ///< with an edge: the corner opposite to it
  int side = 0;    ///< with an edge: the side of the other face's plane on which that corner lies
};

using FaceCorners = std::array<const Eigen::Vector3d*, 3>;

/// Exact. Both triangles must have area; they may share vertices.
FaceMeeting Meet(const FaceCorners& a, const FaceCorners& b);

}  // namespace volcontact
