// The derivatives of a contact's equations.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <variant>

#include "fmi/exchange/contact_equations.h"
#include "forces/law_differences.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

using Eigen::Vector3d;

// The step as a part of the scales on which laws change. Differences of fourth order then err by
// some 1e-12 of the fourth derivative, and by as much from rounding.
constexpr double kLawStep = 1e-3;
// Share of the rate at which the line reaches the end of relaxation, a kink of the forces: the
// farthest of the values, two steps away, is then half way there.
constexpr double kKinkShare = 4.0 * kLawStep;

Vector3d VectorOf(const double* values) { return {values[0], values[1], values[2]}; }

// The rotation vector by which a change of a quaternion turns its body: 2 q̇ q* / |q|².
Vector3d RotationOf(const double* q, const double* dq) {
  const Eigen::Quaterniond value(q[0], q[1], q[2], q[3]), change(dq[0], dq[1], dq[2], dq[3]);
  return 2.0 * (change * value.conjugate()).vec() / value.squaredNorm();
}

ShapesMotion MotionOf(const FmuInputs& at, const FmuInputs& change) {
  ShapesMotion motion;
  motion.d_A = VectorOf(change.data());
  motion.w_A = RotationOf(at.data() + 3, change.data() + 3);
  motion.d_B = VectorOf(change.data() + kNumMotion);
  motion.w_B = RotationOf(at.data() + kNumMotion + 3, change.data() + kNumMotion + 3);
  return motion;
}

// The scale of deflections [m].
double DeflectionScale(const ContactParameters& parameters) {
  const auto* bristle = std::get_if<BristleFriction>(&parameters.friction);
  return bristle != nullptr && bristle->mu_s > 0.0 ? bristle->mu_s / bristle->sigma0 : 1e-6;
}

// What the equations read, along a change of inputs and states.
struct EquationLine {
  const ContactGeometry& geometry;
  const ContactGeometry& d_geometry;
  PosePair poses;
  ShapesMotion motion;
  std::array<Twist, 2> twists, d_twists;
  const FmuLatch& latch;
  const FmuStates &states, &d_states;

  FmuAnswer AnswerAt(double s, const ContactModel& model) const {
    PosePair at = poses;  // only the origins count: rotations are in the geometry
    at.X_WA.t += s * motion.d_A;
    at.X_WB.t += s * motion.d_B;
    std::array<Twist, 2> moved = twists;
    for (std::size_t i = 0; i < 2; ++i) {
      moved[i].velocity_W += s * d_twists[i].velocity_W;
      moved[i].angular_velocity_W += s * d_twists[i].angular_velocity_W;
    }
    FmuStates z = states;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += s * d_states[i];
    return AnswerOf(model, GeometryAlong(geometry, d_geometry, s), at, moved, StateOf(latch, z),
                    latch.R_WT, {});
  }
  // How fast the line comes to where relaxation has caught up with the compression.
  double KinkRate(const ContactParameters& parameters) const {
    const bool is_volumetric = std::holds_alternative<VolumetricNormal>(parameters.normal);
    const double left =
        (is_volumetric ? geometry.volume : geometry.depth) - states[kRelaxationSlot];
    const double d_left =
        (is_volumetric ? d_geometry.volume : d_geometry.depth) - d_states[kRelaxationSlot];
    return left != 0.0 ? std::abs(d_left / left) : 0.0;
  }
  // How fast the line leaves the scales on which laws change.
  double Rate(const ContactParameters& parameters) const {
    const double length = std::max(geometry.gyration_radius, std::cbrt(geometry.volume));
    const double v = VelocityScale(parameters), z = DeflectionScale(parameters);
    double rate = d_geometry.normal_W.norm() + kKinkShare * KinkRate(parameters);
    if (geometry.volume > 0.0) {
      rate += std::abs(d_geometry.volume) / geometry.volume;
      rate += d_geometry.inertia_W.norm() / geometry.inertia_W.norm();
      rate += std::abs(d_states[kRelaxationSlot]) / geometry.volume;
    }
    if (geometry.depth > 0.0) {
      rate += (std::abs(d_geometry.depth) + std::abs(d_states[kRelaxationSlot])) / geometry.depth;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Vector3d& p = i == 0 ? poses.X_WA.t : poses.X_WB.t;
      const Vector3d& d = i == 0 ? motion.d_A : motion.d_B;
      const Vector3d arm = geometry.point_W - p;
      const Vector3d& dw = d_twists[i].angular_velocity_W;
      rate += (d_twists[i].velocity_W + dw.cross(arm)).norm() / v + length * dw.norm() / v;
      rate += twists[i].angular_velocity_W.cross(d_geometry.point_W - d).norm() / v;
      rate += twists[i].velocity_W.norm() * d_geometry.normal_W.norm() / v;
    }
    rate += VectorOf(d_states.data()).norm() / z + length * std::abs(d_states[kTwistSlot]) / z;
    return rate + std::abs(d_states[kDwellSlot]);
  }
};

// f'(0) from four values about it.
FmuAnswer Difference(const EquationLine& line, const ContactModel& model, double h) {
  const FmuAnswer a = line.AnswerAt(-2.0 * h, model), b = line.AnswerAt(-h, model);
  const FmuAnswer c = line.AnswerAt(h, model), d = line.AnswerAt(2.0 * h, model);
  const auto slope = [&](double a_, double b_, double c_, double d_) {
    return (8.0 * (c_ - b_) - (d_ - a_)) / (12.0 * h);
  };
  FmuAnswer rate;
  for (std::size_t i = 0; i < rate.outputs.size(); ++i) {
    rate.outputs[i] = slope(a.outputs[i], b.outputs[i], c.outputs[i], d.outputs[i]);
  }
  for (std::size_t i = 0; i < rate.rates.size(); ++i) {
    rate.rates[i] = slope(a.rates[i], b.rates[i], c.rates[i], d.rates[i]);
  }
  return rate;
}

}  // namespace

FmuAnswer DerivativeOf(const ContactModel& model, const ContactShapes& shapes,
                       const ContactGeometry& geometry, double tolerance, const FmuInputs& inputs,
                       const FmuLatch& latch, const FmuStates& states, const FmuInputs& d_inputs,
                       const FmuStates& d_states) {
  if (!geometry.touching) return {};
  if (model.Needs().pressure) {
    throw InvalidInput("friction that is integrated over the patch has no derivative here");
  }
  const PosePair poses = PosesOf(inputs);
  const ShapesMotion motion = MotionOf(inputs, d_inputs);
  const ContactGeometry d_geometry = shapes.Derivative(poses, motion, tolerance);
  if (!d_geometry.touching) return {};
  const EquationLine line{geometry,           d_geometry, poses,  motion,  TwistsOf(inputs),
                          TwistsOf(d_inputs), latch,      states, d_states};
  const double rate = line.Rate(model.parameters());
  // Nothing changes but the origins, on which torques depend linearly.
  return Difference(line, model, rate > 0.0 ? kLawStep / rate : 1.0);
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
