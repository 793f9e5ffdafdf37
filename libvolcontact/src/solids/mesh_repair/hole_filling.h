// Triangulation of a hole's boundary.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <vector>

namespace volcontact {

inline constexpr std::size_t kMostEdgesOfHole = 64;

/// Faces that close a ring of vertices, against its direction: where the ring runs from p to q, a
/// face runs from q to p. Empty when the ring is not planar to single precision, crosses itself in
/// its plane, or has more than `most_edges`. A ring on one line gives faces without area. Cost:
/// cube of the edges at worst.
std::vector<std::array<int, 3>> FillRing(const std::vector<Eigen::Vector3d>& vertices,
                                         const std::vector<int>& ring,
                                         std::size_t most_edges = kMostEdgesOfHole);

}  // namespace volcontact
