#include "volcontact/forces/contact_linearization.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "forces/law_differences.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;

// The step as a part of the scales on which laws change. Differences of fourth order then err by
// some 1e-12 of the fifth derivative, and by as much from rounding.
constexpr double kStep = 1e-3;

// One contact, whose body A is displaced or sped up.
struct LinearizedContact {
  const ContactModel& model;
  const ContactGeometry& geometry;
  const ContactGeometryDerivatives& derivatives;
  const ContactState& state;
  Pose X_WA;
  Twist A;
  const Pose& X_WB;
  const Twist& B;

  // What a unit of the motion (d, w) about the contact point does to the origin of A.
  Vector3d AtOrigin(int i) const {
    const Vector3d axis = Vector3d::Unit(i % 3);
    return i < 3 ? axis : Vector3d(axis.cross(X_WA.t - geometry.point_W));
  }

  ContactGeometry Displaced(int i, double s) const {
    return GeometryAlong(geometry, derivatives[static_cast<std::size_t>(i)], s);
  }

  Vector6 WrenchOf(const ContactGeometry& at, const Pose& X_WA_at, const Twist& A_at) const {
    const ContactMotion motion = MotionAt(at.point_W, at.normal_W, X_WA_at, A_at, X_WB, B);
    const ContactForce force = model.Evaluate(at, motion, state);
    Vector6 wrench;
    wrench << force.force_W,
        force.torque_W + (force.point_W - geometry.point_W).cross(force.force_W);
    return wrench;
  }

  Vector6 WrenchDisplaced(int i, double s) const {
    Pose moved = X_WA;
    moved.t += s * AtOrigin(i);
    return WrenchOf(Displaced(i, s), moved, A);
  }

  Vector6 WrenchSpedUp(int i, double s) const {
    Twist faster = A;
    faster.velocity_W += s * AtOrigin(i);
    if (i >= 3) faster.angular_velocity_W[i - 3] += s;
    return WrenchOf(geometry, X_WA, faster);
  }

  double Length() const { return std::max(geometry.gyration_radius, std::cbrt(geometry.volume)); }

  // How fast a displacement leaves the scales on which laws change.
  double RateOfDisplacement(int i) const {
    const ContactGeometry& by = derivatives[static_cast<std::size_t>(i)];
    double rate = by.normal_W.norm();
    if (geometry.volume > 0.0) {
      rate += std::abs(by.volume) / geometry.volume;
      rate += by.inertia_W.norm() / geometry.inertia_W.norm();
      const double left = geometry.volume - state.relaxation;
      if (left > 0.0) rate += std::abs(by.volume) / left;
    }
    if (geometry.depth > 0.0) rate += std::abs(by.depth) / geometry.depth;
    const Vector3d change = A.angular_velocity_W.cross(by.point_W - AtOrigin(i)) -
                            B.angular_velocity_W.cross(by.point_W);
    const ContactMotion motion = MotionAt(geometry.point_W, geometry.normal_W, X_WA, A, X_WB, B);
    const double speed = motion.tangential_velocity_W.norm() + std::abs(motion.normal_speed);
    return rate + (change.norm() + speed * by.normal_W.norm()) / VelocityScale(model.parameters());
  }

  double RateOfVelocity(int i) const {
    return (i < 3 ? 1.0 : std::max(Length(), 1e-12)) / VelocityScale(model.parameters());
  }
};

// f'(0) from four values about it.
template <typename Function>
Vector6 Slope(const Function& f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
}

}  // namespace

ContactLinearization Linearize(const ContactModel& model, const ContactGeometry& geometry,
                               const ContactGeometryDerivatives& derivatives,
                               const ContactState& state, const Pose& X_WA, const Twist& A,
                               const Pose& X_WB, const Twist& B) {
  if (model.Needs().pressure) {
    throw InvalidInput("friction that is integrated over the patch has no derivative");
  }
  ContactLinearization result;
  result.point_W = geometry.point_W;
  if (!geometry.touching) return result;
  const LinearizedContact contact{model, geometry, derivatives, state, X_WA, A, X_WB, B};
  for (int i = 0; i < 6; ++i) {
    const double rate = contact.RateOfDisplacement(i);
    const double h = rate > 0.0 ? kStep / rate : 1.0;
    result.stiffness.col(i) = -Slope([&](double s) { return contact.WrenchDisplaced(i, s); }, h);
    result.damping.col(i) = -Slope([&](double s) { return contact.WrenchSpedUp(i, s); },
                                   kStep / contact.RateOfVelocity(i));
  }
  return result;
}

VOLCONTACT_NAMESPACE_END
