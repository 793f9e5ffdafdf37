// One-parameter families of slices.
#pragma once

#include <Eigen/Core>

namespace volcontact {

/// A one-parameter family of slices that sweeps the box.
struct SliceFamily {
  /// kParallel: parallel slices, the parameter is their distance from the centre, askew in the box.
  /// kAcross: slices across the box's x axis, for tori. kPolar: half-slices from the z axis
  /// outwards, the parameter is their angle [rad].
  enum class Kind { kParallel, kAcross, kPolar };
  Kind kind = Kind::kParallel;

  Eigen::Vector2d Base(double x) const;
  Eigen::Vector2d Direction(double x) const;
  bool polar() const { return kind == Kind::kPolar; }
  double Begin() const;  ///< range of the parameter
  double End() const;
  double SliceBegin(double x) const;  ///< range of v on a slice: the part within the box
  double SliceEnd(double x) const;
  /// The parameter of the slice through a point of the base plane.
  double ParameterOf(double px, double py) const;
};

}  // namespace volcontact
