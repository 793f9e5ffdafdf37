// Points with rational coordinates.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "math/rigid.h"
#include "solids/exact/exact_number.h"

namespace volcontact {

using RationalPoint = std::array<Rational, 3>;

RationalPoint ToRational(const Eigen::Vector3d& p);

/// Each coordinate to some 1e-16 of itself; a double comes back as it is.
Eigen::Vector3d Rounded(const RationalPoint& p);

/// Each coordinate to some 1e-31 of itself.
Vector3dd RoundedPrecisely(const RationalPoint& p);

/// The common points of two triangles that have area: none, one, the ends of a segment, or, where
/// the triangles lie in one plane, the corners of a convex polygon in the order of its rim.
std::vector<RationalPoint> CommonPoints(const std::array<Eigen::Vector3d, 3>& first,
                                        const std::array<Eigen::Vector3d, 3>& second);

/// Points by number. Points that were added are equal if their numbers are.
class RationalPoints {
 public:
  /// The number of a point: an old one where it is there already. About a microsecond.
  int Add(const RationalPoint& p);
  int Add(const Eigen::Vector3d& p) { return Add(ToRational(p)); }

  std::size_t size() const { return exact_.size(); }
  const RationalPoint& exact(int i) const { return exact_[i]; }
  const Eigen::Vector3d& rounded(int i) const { return rounded_[i]; }
  const Vector3dd& precise(int i) const { return precise_[i]; }

 private:
  std::vector<RationalPoint> exact_;
  std::vector<Eigen::Vector3d> rounded_;
  std::vector<Vector3dd> precise_;
  std::map<std::array<double, 3>, std::vector<int>> by_rounded_;
};

}  // namespace volcontact
