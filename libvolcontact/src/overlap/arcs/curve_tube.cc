#include "overlap/arcs/curve_tube.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// The preconditioned Jacobian differs from the identity by less than this in each row's sum: the
// map across the axis is one to one, and Newton's method at home.
constexpr double kRegular = 0.7;

// Bound of all but the linear terms over the cell.
double NonlinearPart(const QuadraticModel& model) {
  return model.square.cwiseAbs().sum() + model.cross.cwiseAbs().sum() +
         std::max(std::abs(model.rest_low), std::abs(model.rest_high));
}

// The member of two models' pencil with a gradient at right angles to the first's at the centre: it
// vanishes where both do, and of two surfaces that cross at a small angle, or nearly coincide, it
// bends as their difference does.
QuadraticModel AcrossFirst(const QuadraticModel& first, QuadraticModel second) {
  const double factor = -first.linear.dot(second.linear) / first.linear.squaredNorm();
  if (!std::isfinite(factor)) return second;
  second.value += factor * first.value;
  second.linear += factor * first.linear;
  second.square += factor * first.square;
  second.cross += factor * first.cross;
  second.rest_low += factor * (factor > 0.0 ? first.rest_low : first.rest_high);
  second.rest_high += factor * (factor > 0.0 ? first.rest_high : first.rest_low);
  return second;
}

}  // namespace

Vector3d DerivativeChange(const QuadraticModel& model) {
  const double xy = std::abs(model.cross[0]), xz = std::abs(model.cross[1]),
               yz = std::abs(model.cross[2]);
  return {2.0 * std::abs(model.square[0]) + xy + xz, 2.0 * std::abs(model.square[1]) + xy + yz,
          2.0 * std::abs(model.square[2]) + xz + yz};
}

TangentBounds::TangentBounds(const QuadraticModel& first, const QuadraticModel& second)
    : center(first.linear.cross(second.linear)) {
  const Vector3d f = first.linear.cwiseAbs(), g = second.linear.cwiseAbs();
  const Vector3d df = DerivativeChange(first), dg = DerivativeChange(second);
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    change[k] = f[a] * dg[b] + df[a] * (g[b] + dg[b]) + f[b] * dg[a] + df[b] * (g[a] + dg[a]);
  }
}

CurveTube::CurveTube(const QuadraticModel& first, const QuadraticModel& any_second) {
  const QuadraticModel second = AcrossFirst(first, any_second);
  tangent_ = TangentBounds(first, second);
  tangent_.center.cwiseAbs().maxCoeff(&axis_);
  const int a = across(0), b = across(1);
  const double determinant = tangent_.center[axis_];
  const double inverse = 1.0 / determinant;
  if (!std::isfinite(inverse)) return;
  // The inverse of the Jacobian across the axis at the centre.
  const double aa = second.linear[b] * inverse, ab = -first.linear[b] * inverse;
  const double ba = -second.linear[a] * inverse, bb = first.linear[a] * inverse;
  center_ = {-(aa * first.value + ab * second.value), -(ba * first.value + bb * second.value)};
  slope_ = {-(aa * first.linear[axis_] + ab * second.linear[axis_]),
            -(ba * first.linear[axis_] + bb * second.linear[axis_])};
  const double f = NonlinearPart(first), g = NonlinearPart(second);
  radius_ = {std::abs(aa) * f + std::abs(ab) * g, std::abs(ba) * f + std::abs(bb) * g};
  if (((center_.cwiseAbs() - slope_.cwiseAbs() - radius_).array() > 1.0).any()) {
    state_ = State::kNone;
    return;
  }
  const Vector3d df = DerivativeChange(first), dg = DerivativeChange(second);
  const double row_a = std::abs(aa) * (df[a] + df[b]) + std::abs(ab) * (dg[a] + dg[b]);
  const double row_b = std::abs(ba) * (df[a] + df[b]) + std::abs(bb) * (dg[a] + dg[b]);
  if (std::max(row_a, row_b) < kRegular) state_ = State::kGraph;
}

}  // namespace volcontact
