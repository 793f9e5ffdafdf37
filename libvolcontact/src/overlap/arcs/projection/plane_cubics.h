// Cubic curves in a plane, by their control points, that curves keep near to.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <utility>

namespace volcontact {

using ControlPoints = std::array<Eigen::Vector2d, 4>;

/// A curve is off its cubic by less than this part of what bends the control points off the chord,
/// and by roundings of coordinates.
inline constexpr double kCubicError = 0.03, kPlaneRounding = 1e-13;

inline double Cross2(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a[0] * b[1] - a[1] * b[0];
}

/// A cubic with the ends of a curve, and with its derivatives there. The curve is off it by no more
/// than the slack. A plain value.
struct PlaneCubic {
  ControlPoints control;
  double slack = 0.0;

  PlaneCubic Reversed() const { return {{control[3], control[2], control[1], control[0]}, slack}; }
};

/// The point of a cubic at t from 0 to 1, and the derivative.
std::pair<Eigen::Vector2d, Eigen::Vector2d> OnCubic(const ControlPoints& c, double t);

struct Span {
  double low, high;
};

/// What a curve covers along a unit normal.
Span SpanAlong(const PlaneCubic& cubic, const Eigen::Vector2d& normal);

/// Whether two curves that start in one point are known to meet nowhere else: they start in
/// opposite directions, or touch there and bend away from each other. So do edges, as they are
/// seen, and the outlines that end at them.
bool DepartApart(const PlaneCubic& first, const PlaneCubic& second);

/// How two curves that run beside each other lie.
struct CurvesBeside {
  bool are_apart = false;
  bool are_together = false;  ///< and not known to cross once at most
  /// If they cross once at most: about where, as parts of the first and of the second.
  std::optional<Eigen::Vector2d> crossing = {};
};

/// A curve near a cubic.
class CurveOfCubic {
 public:
  /// The point at a part t of the cubic, and the derivative.
  virtual std::pair<Eigen::Vector2d, Eigen::Vector2d> At(double t) const = 0;

 protected:
  ~CurveOfCubic() = default;
};

/// Compares the heights of two curves over one direction; nothing of this where that does not
/// decide. By their cubics, or where these are too near each other by points of the curves: the
/// difference of their heights keeps to a cubic as each height does, so that this is as much more
/// exact as they are near each other.
CurvesBeside CompareBeside(const PlaneCubic& first, const PlaneCubic& second,
                           const CurveOfCubic& on_first, const CurveOfCubic& on_second);

}  // namespace volcontact
