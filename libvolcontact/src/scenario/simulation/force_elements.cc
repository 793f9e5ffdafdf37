#include "scenario/simulation/force_elements.h"

#include <algorithm>
#include <cmath>

#include "scenario/simulation/external_forces.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

using SimTK::SpatialVec;
using SimTK::State;
using SimTK::Vec3;

SpatialVec Load::Wrench(const State& state) const {
  const double scale = spec_.scale ? (*spec_.scale)(state.getTime()) : 1.0;
  Vec3 force = scale * ToSimbody(spec_.force), torque = scale * ToSimbody(spec_.torque);
  const SimTK::Rotation& R_WB = body_.getBodyRotation(state);
  if (spec_.in_body_frame) {
    force = R_WB * force;
    torque = R_WB * torque;
  }
  return {torque + (R_WB * ToSimbody(spec_.point)) % force, force};
}

void Load::Apply(const State& state, SimTK::Vector_<SpatialVec>* body_forces,
                 SimTK::Vector*) const {
  (*body_forces)[body_.getMobilizedBodyIndex()] += Wrench(state);
}

ForceElement::Powers Load::PowersIn(const State& state) const {
  const SpatialVec F = Wrench(state);
  const SpatialVec& V = body_.getBodyVelocity(state);
  return {dot(F[0], V[0]) + dot(F[1], V[1]), 0.0};
}

double JointStop::Beyond(const State& state) const {
  const double q = Value(state);
  return q > spec_.upper ? q - spec_.upper : std::min(0.0, q - spec_.lower);
}

double JointStop::Effort(const State& state) const {
  const double beyond = Beyond(state);
  if (beyond == 0.0) return 0.0;
  const double deepening = beyond > 0.0 ? Rate(state) : -Rate(state);
  return -spec_.stiffness * beyond * std::max(0.0, 1.0 + spec_.damping * deepening);
}

double JointStop::Potential(const State& state) const {
  const double beyond = Beyond(state);
  return 0.5 * spec_.stiffness * beyond * beyond;
}

// What is taken from the motion and not stored.
ForceElement::Powers JointStop::PowersIn(const State& state) const {
  const double elastic = -spec_.stiffness * Beyond(state);
  return {0.0, (elastic - Effort(state)) * Rate(state)};
}

// The direction of motion, smooth about rest as that of the contacts' Coulomb friction.
double JointFriction::Effort(const State& state) const {
  const double rate = Rate(state);
  const double r = std::clamp(rate / spec_.v_epsilon, -1.0, 1.0);
  return -spec_.coulomb * (1.5 - 0.5 * r * r) * r - spec_.viscous * rate;
}

ProfilePoint Motor::Now(const State& state) const {
  ProfilePoint target = Evaluate(spec_.profile, state.getTime());
  target.value += forces_->Targets(state)[number_];
  return target;
}

double Motor::Effort(const State& state) const {
  const ProfilePoint target = Now(state);
  double effort = target.value;
  if (spec_.target == MotorSpec::Target::kRate) {
    effort = spec_.damping * (target.value - Rate(state));
  } else if (spec_.target == MotorSpec::Target::kPosition) {
    effort = spec_.stiffness * (target.value - Value(state)) +
             spec_.damping * (target.rate - Rate(state));
  }
  return std::clamp(effort, -spec_.limit, spec_.limit);
}

Vec3 PointSpring::Line(const State& state) const {
  return b_.InWorld(state).p() - a_.InWorld(state).p();
}

double PointSpring::Lengthening(const State& state) const {
  const Vec3 line = Line(state);
  const double length = line.norm();
  if (length == 0.0) return 0.0;
  return dot(line, b_.Velocity(state)[1] - a_.Velocity(state)[1]) / length;
}

void PointSpring::Apply(const State& state, SimTK::Vector_<SpatialVec>* body_forces,
                        SimTK::Vector*) const {
  const Vec3 line = Line(state);
  const double length = line.norm();
  if (length == 0.0) return;  // a point has no direction
  const double tension =
      spec_.stiffness * (length - *spec_.rest) + spec_.damping * Lengthening(state);
  const Vec3 force = line * (tension / length);
  a_.body.applyForceToBodyPoint(state, a_.X_BF.p(), force, *body_forces);
  b_.body.applyForceToBodyPoint(state, b_.X_BF.p(), -force, *body_forces);
}

double PointSpring::Potential(const State& state) const {
  const double stretch = Line(state).norm() - *spec_.rest;
  return 0.5 * spec_.stiffness * stretch * stretch;
}

ForceElement::Powers PointSpring::PowersIn(const State& state) const {
  const double rate = Lengthening(state);
  return {0.0, spec_.damping * rate * rate};
}

void PointSpring::Begin(const State& state) {
  if (!spec_.rest) spec_.rest = Line(state).norm();
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
