// What a search for the distance of two sets has found.
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

  bool HasPoints() const { return upper < std::numeric_limits<double>::infinity(); }

  /// The same with X and Y exchanged.
  NearestPair Swapped() const { return {lower, upper, y, x}; }

  /// The same in another frame, in which the one of the points has this pose.
  NearestPair Moved(const Eigen::Matrix3d& R, const Eigen::Vector3d& t) const {
    return {lower, upper, R * x + t, R * y + t};
  }

  /// Takes over what another search has found of the same sets.
  void Improve(const NearestPair& other) {
    const double most = std::max(lower, other.lower);
    if (other.upper < upper) *this = other;
    lower = most;
  }

  /// Becomes the pair of the unions of these sets and of those of another pair.
  void Unite(const NearestPair& other) {
    const double least = std::min(lower, other.lower);
    if (other.upper < upper) *this = other;
    lower = least;
  }
};

}  // namespace volcontact
