// The curves that bound the projection of a region along a direction.
#pragma once

#include <Eigen/Geometry>
#include <optional>

#include "overlap/arcs/curves/curve.h"

namespace volcontact {

/// What of a point is seen along a direction.
using ContourView = Eigen::Matrix<double, 2, 3>;

/// The view against a unit vector, counterclockwise, from another at right angles to it.
inline ContourView ViewAlong(const Eigen::Vector3d& axis, const Eigen::Vector3d& across) {
  ContourView view;
  view.row(0) = across;
  view.row(1) = axis.cross(across);
  return view;
}

/// Numbered curves of a contour.
class ContourCurves {
 public:
  virtual ~ContourCurves() = default;
  /// The point of a curve at u, with the derivative by u; false where it is not found. Any number
  /// of threads may ask at the same time.
  virtual bool PointOn(int curve, double u, CurvePoint* point) const = 0;
  /// In how many arcs a range of a curve falls that turn by a few tenths of a radian at most.
  virtual int ArcsOf(int curve, double from, double to) const = 0;
  /// The integral of p × dp over a range of a curve; nothing where that has no closed form.
  virtual std::optional<Eigen::Vector3d> SweptBy(int /*curve*/, double /*from*/,
                                                 double /*to*/) const {
    return std::nullopt;
  }
};

/// A part of a curve.
struct ContourPart {
  const ContourCurves* curves;
  int curve;
  double from, to;        ///< of u
  double count;           ///< how often the area counts that it sweeps
  bool is_inner = false;  ///< the projection is on both sides of it: it is not the rim
};

}  // namespace volcontact
