#include "fmi/exchange/contact_equations.h"

#include <Eigen/Geometry>
#include <cmath>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

using Eigen::Vector3d;

Vector3d VectorAt(const double* values) { return {values[0], values[1], values[2]}; }

Pose PoseAt(const double* values, const char* body) {
  Eigen::Vector4d q(values[3], values[4], values[5], values[6]);
  const double length = q.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    throw InvalidInput(std::string("the quaternion of ") + body +
                       " has no direction; give qw, qx, qy, qz of a rotation");
  }
  // A unit quaternion is taken as it is, so that its rotation is the one that was given.
  if (std::abs(length - 1.0) > kUnitQuaternionTolerance) q /= length;
  return {VectorAt(values), {q[0], q[1], q[2], q[3]}};
}

void Put(const Vector3d& v, int first, FmuAnswer* answer) {
  for (int i = 0; i < 3; ++i) answer->outputs[static_cast<std::size_t>(first + i)] = v[i];
}

}  // namespace

PosePair PosesOf(const FmuInputs& inputs) {
  return {PoseAt(inputs.data(), "A"), PoseAt(inputs.data() + kNumMotion, "B")};
}

std::array<Twist, 2> TwistsOf(const FmuInputs& inputs) {
  const auto twist = [&](int first) {
    const double* at = inputs.data() + first + 7;
    return Twist{VectorAt(at), VectorAt(at + 3)};
  };
  return {twist(0), twist(kNumMotion)};
}

ContactState StateOf(const FmuLatch& latch, const FmuStates& states) {
  ContactState state;
  state.touching = latch.touching;
  if (!latch.touching) return state;
  state.impact_speed = latch.impact_speed;
  state.normal_W = latch.normal_W;
  state.friction.deflection_W = latch.R_WT * VectorAt(states.data() + kDeflectionSlot);
  state.friction.twist = states[kTwistSlot];
  state.friction.dwell = states[kDwellSlot];
  state.relaxation = states[kRelaxationSlot];
  return state;
}

FmuStates StatesOf(const ContactState& state) {
  FmuStates states{};
  const FrictionState& friction = state.friction;
  for (int i = 0; i < 3; ++i) states[static_cast<std::size_t>(i)] = friction.deflection_W[i];
  states[kTwistSlot] = friction.twist;
  states[kDwellSlot] = friction.dwell;
  states[kRelaxationSlot] = state.relaxation;
  return states;
}

FmuAnswer AnswerOf(const ContactModel& model, const ContactGeometry& geometry,
                   const PosePair& poses, const std::array<Twist, 2>& twists,
                   const ContactState& state, const Eigen::Matrix3d& R_WT,
                   const std::vector<PressureSample>& pressure) {
  FmuAnswer answer;
  if (!geometry.touching) return answer;
  const ContactMotion motion =
      MotionAt(geometry.point_W, geometry.normal_W, poses.X_WA, twists[0], poses.X_WB, twists[1]);
  const ContactForce force = model.Evaluate(geometry, motion, state, pressure);
  const Vector3d& p = force.point_W;
  Put(force.force_W, kForceA, &answer);
  Put(force.torque_W + (p - poses.X_WA.t).cross(force.force_W), kTorqueA, &answer);
  Put(-force.force_W, kForceB, &answer);
  Put(-(force.torque_W + (p - poses.X_WB.t).cross(force.force_W)), kTorqueB, &answer);
  Put(p, kPoint, &answer);
  Put(geometry.normal_W, kNormal, &answer);
  const bool volumetric = model.Needs().volume;
  answer.outputs[kCompression] = volumetric ? geometry.volume : geometry.depth;
  answer.outputs[kNormalForce] = force.normal_W.dot(geometry.normal_W);
  answer.outputs[kFrictionForce] = force.tangential_W.norm();
  const ContactPowers& powers = force.powers;
  answer.outputs[kElasticPower] = powers.elastic + powers.bristle_elastic + powers.spin_elastic;
  answer.outputs[kDissipatedPower] = powers.Dissipated();
  const Vector3d deflection = R_WT.transpose() * force.rate.deflection_W;
  for (int i = 0; i < 3; ++i) answer.rates[static_cast<std::size_t>(i)] = deflection[i];
  answer.rates[kTwistSlot] = force.rate.twist;
  answer.rates[kDwellSlot] = force.rate.dwell;
  answer.rates[kRelaxationSlot] = force.rate.relaxation;
  return answer;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
