#include "overlap/arcs/curves/curve_tube.h"

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

// What is not linear in a first + b second: curvature that the two have in common cancels.
QuadraticModel Combined(double a, const QuadraticModel& first, double b,
                        const QuadraticModel& second) {
  QuadraticModel model;
  model.square = a * first.square + b * second.square;
  model.cross = a * first.cross + b * second.cross;
  const auto rest = [](const QuadraticModel& part) {
    return std::max(std::abs(part.rest_low), std::abs(part.rest_high));
  };
  model.rest_high = std::abs(a) * rest(first) + std::abs(b) * rest(second);
  model.rest_low = -model.rest_high;
  model.rest_slope = std::abs(a) * first.rest_slope + std::abs(b) * second.rest_slope;
  return model;
}

// The member of two models' pencil with a gradient at right angles to the first's at the centre: it
// vanishes where both do, and of two surfaces that cross at a small angle, or nearly coincide, it
// bends as their difference does.
QuadraticModel AcrossFirst(const QuadraticModel& first, QuadraticModel second) {
  const double factor = -first.linear.dot(second.linear) / first.linear.squaredNorm();
  if (std::isfinite(factor)) AddMultiple(factor, first, &second);
  return second;
}

// The place of the product of two axes among a model's cross terms.
int CrossTerm(int i, int j) { return i + j - 1; }

}  // namespace

double NonlinearPart(const QuadraticModel& model) {
  return model.square.cwiseAbs().sum() + model.cross.cwiseAbs().sum() +
         std::max(std::abs(model.rest_low), std::abs(model.rest_high));
}

bool IsLinear(const QuadraticModel& model) {
  return model.square.isZero(0.0) && model.cross.isZero(0.0) && model.rest_slope.isZero(0.0);
}

void AddMultiple(double factor, const QuadraticModel& model, QuadraticModel* sum) {
  sum->value += factor * model.value;
  sum->linear += factor * model.linear;
  sum->square += factor * model.square;
  sum->cross += factor * model.cross;
  sum->rest_low += factor * (factor > 0.0 ? model.rest_low : model.rest_high);
  sum->rest_high += factor * (factor > 0.0 ? model.rest_high : model.rest_low);
  sum->rest_slope += std::abs(factor) * model.rest_slope;
}

void CountRounding(QuadraticModel* model) {
  model->rest_slope.array() += std::max(std::abs(model->rest_low), std::abs(model->rest_high));
}

QuadraticModel ReducedOnPlane(const QuadraticModel& plane, const QuadraticModel& model) {
  const Vector3d& l = plane.linear;
  int k;
  const double steepest = l.cwiseAbs().maxCoeff(&k);
  if (!(steepest > 0.0)) return model;
  // model − (m·t) plane.
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  Vector3d m;
  m[k] = model.square[k] / l[k];
  m[a] = (model.cross[CrossTerm(k, a)] - m[k] * l[a]) / l[k];
  m[b] = (model.cross[CrossTerm(k, b)] - m[k] * l[b]) / l[k];
  QuadraticModel reduced = model;
  reduced.linear -= plane.value * m;
  reduced.square -= m.cwiseProduct(l);
  reduced.square[k] = 0.0;
  reduced.cross[CrossTerm(a, b)] -= m[a] * l[b] + m[b] * l[a];
  reduced.cross[CrossTerm(k, a)] = reduced.cross[CrossTerm(k, b)] = 0.0;
  const double rest = std::max(std::abs(plane.rest_low), std::abs(plane.rest_high));
  reduced.rest_low -= m.lpNorm<1>() * rest;
  reduced.rest_high += m.lpNorm<1>() * rest;
  reduced.rest_slope += rest * m.cwiseAbs();
  return reduced;
}

Vector3d DerivativeChange(const QuadraticModel& model) {
  const double xy = std::abs(model.cross[0]), xz = std::abs(model.cross[1]),
               yz = std::abs(model.cross[2]);
  return model.rest_slope + Vector3d(2.0 * std::abs(model.square[0]) + xy + xz,
                                     2.0 * std::abs(model.square[1]) + xy + yz,
                                     2.0 * std::abs(model.square[2]) + xz + yz);
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

CurveTube::CurveTube(const QuadraticModel& one, const QuadraticModel& other) {
  // A plane first: all that the other surface bends off it can be taken away.
  const bool swap = !IsLinear(one) && IsLinear(other);
  const QuadraticModel &first = swap ? other : one, &rest = swap ? one : other;
  QuadraticModel second = AcrossFirst(first, IsLinear(first) ? ReducedOnPlane(first, rest) : rest);
  CountRounding(&second);
  if (std::abs(second.value) > second.linear.lpNorm<1>() + NonlinearPart(second)) {
    state_ = State::kNone;
    return;
  }
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
  const QuadraticModel along_a = Combined(aa, first, ab, second);
  const QuadraticModel along_b = Combined(ba, first, bb, second);
  radius_ = {NonlinearPart(along_a), NonlinearPart(along_b)};
  if (((center_.cwiseAbs() - slope_.cwiseAbs() - radius_).array() > 1.0).any()) {
    state_ = State::kNone;
    return;
  }
  const Vector3d da = DerivativeChange(along_a), db = DerivativeChange(along_b);
  if (std::max(da[a] + da[b], db[a] + db[b]) < kRegular) state_ = State::kGraph;
}

}  // namespace volcontact
