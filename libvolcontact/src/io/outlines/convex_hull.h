// Hulls of points and of balls.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "volcontact/solids/solid.h"

namespace volcontact {

inline constexpr std::size_t kMostHullPoints = 2000;

/// The faces of the hull of points, counterclockwise from outside, as numbers of the points; empty
/// where all points lie in a plane. Exact. Cost: points times faces.
std::vector<std::array<int, 3>> HullFaces(const std::vector<Eigen::Vector3d>& points);

/// The closed mesh of the hull. Throws InvalidInput, without a place, for more than kMostHullPoints
/// points, or for points in a plane.
Solid HullOfPoints(const std::vector<Eigen::Vector3d>& points);

/// All points within `radius` of the hull of `centers`: a ball, a capsule, or the union of capsules
/// along the edges and prisms on the faces, all exact. Throws InvalidInput
/// as above, and for more than kMostRoundCorners corners.
Solid HullOfBalls(const std::vector<Eigen::Vector3d>& centers, double radius);
inline constexpr std::size_t kMostRoundCorners = 24;

/// The hull of two balls of different radii: both, and the cone that touches them.
Solid HullOfTwoBalls(const Eigen::Vector3d& a, double radius_a, const Eigen::Vector3d& b,
                     double radius_b);

}  // namespace volcontact
