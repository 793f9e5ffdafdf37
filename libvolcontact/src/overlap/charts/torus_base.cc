#include "overlap/charts/torus_base.h"

#include <Eigen/Geometry>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector3d;

Vector3dd Combine(const DoubleDouble& a, const Vector3dd& u, const DoubleDouble& b,
                  const Vector3dd& v) {
  return {a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]};
}

}  // namespace

TorusBase::TorusBase(const TorusSurface& torus, const LocalFrame& frame, const Vector3d& near)
    : major(torus.major),
      minor(torus.minor),
      center(frame.X_AC.InverseRotate(PlusScaled(torus.center, -1.0, frame.X_AC.t))),
      axis(frame.X_AC.InverseRotate(torus.axis)) {
  const Vector3d from_center = frame.half.cwiseProduct(near) - Round(center);
  const double height = from_center.dot(Round(axis));
  Vector3d across = from_center - height * Round(axis);
  double radius = across.norm();
  const auto off_tube = [&](double from_axis) {
    return std::abs(std::hypot(from_axis - major.hi, height) - minor.hi);
  };
  if (torus.IsSpindle() && off_tube(-radius) < off_tube(radius)) {
    // On the lemon the section has come from beyond the axis.
    radius = -radius;
    across = -across;
  }
  if (!(radius != 0.0)) across = Round(axis).unitOrthogonal();
  // All in double-double: of a ring that lies in a thin frame the axes must be as exact as the
  // surface's polynomial is.
  outward = ToDoubleDouble(across);
  outward = Normalized(PlusScaled(outward, -Dot(outward, axis), axis));
  around = Cross(axis, outward);
  angle = std::atan2(height, radius - major.hi);
  cosine = std::cos(angle);
  sine = std::sin(angle);
  const DoubleDouble scale = DoubleDouble(1.0) / Sqrt(cosine * cosine + sine * sine);
  cosine *= scale;
  sine *= scale;
  normal = Combine(cosine, outward, sine, axis);
  rising = Combine(-sine, outward, cosine, axis);
  point = PlusScaled(PlusScaled(center, major, outward), minor, normal);
}

}  // namespace volcontact
