// The result of a search for the distance of two sets.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>

namespace volcontact {

/// Two sets X and Y of points, in one frame.
struct NearestPair {
  /// Certified: no points of X and Y are nearer to each other [m]. 0 where they meet or nothing was
  /// proved, infinite where one is empty.
  double lower = 0.0;
  /// The distance of the points of X and Y found nearest to each other [m]; infinite where none
  /// were found. These are on the sets but for rounding.
  double upper = std::numeric_limits<double>::infinity();
  Eigen::Vector3d x = Eigen::Vector3d::Zero(), y = Eigen::Vector3d::Zero();
  /// Whether it is known that neither set has a part within the other; lower > 0 alone only proves
  /// that their boundaries are apart.
  bool is_apart = false;

  bool HasPoints() const { return upper < std::numeric_limits<double>::infinity(); }
  /// Whether the bound is within a tenth of the distance, which is as near as searches go.
  bool IsNarrow() const { return lower >= 0.9 * upper; }

  /// The same with X and Y exchanged.
  NearestPair Swapped() const { return {lower, upper, y, x, is_apart}; }

  /// The same in another frame, in which the one of the points has this pose.
  NearestPair Moved(const Eigen::Matrix3d& R, const Eigen::Vector3d& t) const {
    return {lower, upper, R * x + t, R * y + t, is_apart};
  }

  /// Takes over what another search has found of the same sets.
  void Improve(const NearestPair& other) {
    const double most = std::max(lower, other.lower);
    const bool are_apart = is_apart || other.is_apart;
    if (other.upper < upper) *this = other;
    lower = most;
    is_apart = are_apart;
  }

  /// Becomes the pair of the unions of these sets and of those of another pair.
  void Unite(const NearestPair& other) {
    const double least = std::min(lower, other.lower);
    const bool are_apart = is_apart && other.is_apart;
    if (other.upper < upper) *this = other;
    lower = least;
    is_apart = are_apart;
  }
};

}  // namespace volcontact
