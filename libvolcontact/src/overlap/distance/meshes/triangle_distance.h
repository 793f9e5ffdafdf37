// Nearest points of triangles.
#pragma once

#include <Eigen/Core>
#include <array>

#include "overlap/distance/faces/nearest_pair.h"

namespace volcontact {

/// The point of a triangle nearest to p.
Eigen::Vector3d NearestOnTriangle(const Eigen::Vector3d& p,
                                  const std::array<Eigen::Vector3d, 3>& t);

/// Nearest points of two triangles, and their distance; roundings are not covered.
NearestPair TriangleDistance(const std::array<Eigen::Vector3d, 3>& a,
                             const std::array<Eigen::Vector3d, 3>& b);

}  // namespace volcontact
