// Triangulation of a hole's boundary.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace volcontact {

/// Faces that close a ring of vertices, against its direction: where the ring runs from p to q, a
/// face runs from q to p. Empty when the ring is not planar to single precision, crosses itself in
/// its plane, or has more than 64 edges. A ring on one line gives faces without area.
std::vector<std::array<int, 3>> FillRing(const std::vector<Eigen::Vector3d>& vertices,
                                         const std::vector<int>& ring);

}  // namespace volcontact
