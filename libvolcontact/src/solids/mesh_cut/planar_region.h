// Triangles over a region of a plane that closed rings bound.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace volcontact {

/// Triangles, counterclockwise, of the region to the left of directed edges that close to rings, by
/// the numbers of the points; rings within rings are holes. Every edge is that of one triangle. A
/// region of rounding alone may give triangles without area. Cost: square of the edges.
std::vector<std::array<int, 3>> TriangulateRings(const std::vector<Eigen::Vector2d>& points,
                                                 const std::vector<std::array<int, 2>>& edges);

}  // namespace volcontact
