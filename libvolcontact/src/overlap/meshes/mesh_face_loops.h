// The loops that bound the part of one face inside the other mesh.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <utility>
#include <vector>

namespace volcontact {

/// A closed loop in the plane of a face, the inside to its left.
struct FaceLoop {
  std::vector<std::pair<Eigen::Vector2d, Eigen::Vector2d>> segments;  ///< in any order
  bool meets_rim = false;  ///< has a point on the face's own edges: bounds a region from outside
  std::uint32_t part = 0;  ///< the caller's number
};

/// For each loop that is a hole the number of the loop that bounds its region from outside; −1 for
/// loops that do so themselves. Loops do not cross; where they touch, rounding decides.
std::vector<int> EnclosingLoops(const std::vector<FaceLoop>& loops);

}  // namespace volcontact
