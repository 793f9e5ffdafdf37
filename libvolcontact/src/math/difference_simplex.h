// The simplex of Gilbert, Johnson and Keerthi's search for the nearest points of two convex sets.
#pragma once

#include <Eigen/Core>
#include <array>

namespace volcontact {

/// Up to four pairs of points x of X and y of Y. Their differences x − y span a simplex, which is
/// the least face that holds its own point nearest to the origin. A plain value.
class DifferenceSimplex {
 public:
  /// Adds a pair, and drops those that do not carry the point nearest to the origin any more.
  void Add(const Eigen::Vector3d& x, const Eigen::Vector3d& y);

  /// The points of X and Y whose difference is nearest to the origin.
  Eigen::Vector3d NearestX() const { return Mean(&Pair::x); }
  Eigen::Vector3d NearestY() const { return Mean(&Pair::y); }
  /// Whether the origin is within, so that X and Y meet.
  bool HoldsOrigin() const { return size_ == 4; }
  /// The unit vector from there to the origin. The difference of the nearest points has no digits
  /// left where these are near: what lies along the face is taken out.
  Eigen::Vector3d TowardOrigin() const;

 private:
  struct Pair {
    Eigen::Vector3d x, y;
    Eigen::Vector3d Difference() const { return x - y; }
  };

  bool PutOnFace(const DifferenceSimplex& all, unsigned chosen);
  Eigen::Vector3d Mean(Eigen::Vector3d Pair::*of) const;

  std::array<Pair, 4> pairs_;
  std::array<double, 4> weights_ = {1.0, 0.0, 0.0, 0.0};  // of the nearest point
  int size_ = 0;
};

}  // namespace volcontact
