// Faces over a hole whose rim is not planar.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace volcontact {

/// The faces of least area that close a ring of at most kMostEdgesOfHole vertices, against its
/// direction, as FillRing does. Empty where they would not lie over the ring's mean plane like a
/// sheet: no face may lean against it by more than 45°, so that the filling cannot fold and every
/// other one of that kind encloses much the same. Cost: cube of the edges.
std::vector<std::array<int, 3>> FillBentRing(const std::vector<Eigen::Vector3d>& vertices,
                                             const std::vector<int>& ring);

/// How far the ring leaves its mean plane [m].
double BendOf(const std::vector<Eigen::Vector3d>& vertices, const std::vector<int>& ring);

}  // namespace volcontact
