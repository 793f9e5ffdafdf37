#include "overlap/arcs/curves/local_torus.h"

#include <Eigen/Geometry>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// What is left of a unit vector across the axis, when it is along it but for roundings.
constexpr double kAlongAxis = 1e-12;

}  // namespace

LocalTorus::LocalTorus(const TorusSurface& torus, const LocalFrame& frame)
    : axis_(frame.X_AC.InverseRotate(torus.axis)),
      center_(frame.X_AC.InverseRotate(PlusScaled(torus.center, -1.0, frame.X_AC.t))),
      major_(torus.major.hi),
      minor_(torus.minor.hi),
      half_(frame.half),
      axis_C_(Round(axis_).normalized()),
      center_C_(Round(center_)) {}

std::array<Vector3d, 4> LocalTorus::ExtremesAlong(const Vector3d& n_C) const {
  const Vector3d n = n_C.normalized();
  Vector3d across = n - n.dot(axis_C_) * axis_C_;
  across = across.norm() > kAlongAxis ? across.normalized() : axis_C_.unitOrthogonal();
  const Vector3d out = major_ * across, up = minor_ * n;
  return {ToCube(center_C_ + out + up), ToCube(center_C_ + out - up), ToCube(center_C_ - out + up),
          ToCube(center_C_ - out - up)};
}

CurvePoint LocalTorus::OutlineAt(double phi, int side, const Vector3d& n_C) const {
  const Vector3d u = axis_C_.unitOrthogonal(), v = axis_C_.cross(u);
  const Vector3d out = std::cos(phi) * u + std::sin(phi) * v;
  const Vector3d turning = std::cos(phi) * v - std::sin(phi) * u;
  const double along = n_C.dot(axis_C_), across = n_C.dot(out), change = n_C.dot(turning);
  const double scale = side * minor_ / std::hypot(along, across);
  const Vector3d to_side = scale * (along * out - across * axis_C_);
  const double shrinking = across * change / (along * along + across * across);
  const Vector3d derivative =
      major_ * turning + scale * (along * turning - change * axis_C_) - shrinking * to_side;
  return {ToCube(center_C_ + major_ * out + to_side), ToCube(derivative)};
}

double LocalTorus::AngleOf(const Vector3d& p) const {
  const Vector3d u = axis_C_.unitOrthogonal(), v = axis_C_.cross(u);
  const Vector3d from_center = half_.cwiseProduct(p) - center_C_;
  return std::atan2(from_center.dot(v), from_center.dot(u));
}

double LocalTorus::AngleAcross(const Vector3d& n_C) const {
  const Vector3d u = axis_C_.unitOrthogonal(), v = axis_C_.cross(u);
  return std::atan2(-n_C.dot(u), n_C.dot(v));
}

}  // namespace volcontact
