#include "volcontact/forces/contact_model.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "forces/law_limits.h"
#include "forces/normal_turn.h"
#include "forces/require.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The step of the derivative of a law, as a part of the depth.
constexpr double kDepthStep = 1e-4;
// Stands for a normal spring of which nothing is known [N/m].
constexpr double kNoSpring = 1e-200;

}  // namespace

ContactParameters LawsOfPieces(const ContactParameters& parameters) {
  if (std::holds_alternative<PatchCoulombFriction>(parameters.friction)) {
    throw InvalidInput(
        "friction integrated over the patch samples the whole overlap, and does not work with a "
        "divided contact; take the bristle law, or do not divide the contact");
  }
  ContactParameters pieces = parameters;
  pieces.rolling = RollingInertia::kNone;
  return pieces;
}

bool MayBeDivided(const ContactParameters& parameters) {
  return parameters.direction == ContactDirection::kAreaVector &&
         parameters.rolling != RollingInertia::kThesis &&
         std::holds_alternative<VolumetricNormal>(parameters.normal) &&
         !std::holds_alternative<PatchCoulombFriction>(parameters.friction);
}

ContactModel::ContactModel(const ContactParameters& parameters)
    : parameters_(parameters), normal_(parameters.normal) {
  Validate(parameters.friction);
  RequireNotNegative("tau_relaxation", parameters.tau_relaxation, "s");
}

ContactNeeds ContactModel::Needs() const {
  ContactNeeds needs;
  needs.volume = normal_.volumetric();
  if (const auto* law = std::get_if<VolumetricNormal>(&parameters_.normal)) {
    needs.contact_area = parameters_.contact_plate && law->stiffness_a != law->stiffness_b;
  }
  needs.pressure = std::holds_alternative<PatchCoulombFriction>(parameters_.friction);
  return needs;
}

StepEstimate ContactModel::TimeScales(const ContactGeometry& geometry, double mass,
                                      double normal_force) const {
  if (!(mass > 0.0)) return {};
  StepKnowns known;
  known.mass = mass;
  known.normal_force = normal_force;
  if (const auto* bristle = std::get_if<BristleFriction>(&parameters_.friction)) {
    known.sigma0 = bristle->sigma0;
    known.sigma1 = bristle->sigma1;
  }
  if (geometry.touching && normal_.volumetric()) {
    const double stiffness = std::get<VolumetricNormal>(parameters_.normal).Stiffness();
    known.normal_stiffness = stiffness * geometry.contact_area;
  } else if (geometry.touching) {
    const double x = geometry.depth, step = kDepthStep * x;
    const double rise =
        normal_.Evaluate(x + step, 0.0, 0.0).elastic - normal_.Evaluate(x - step, 0.0, 0.0).elastic;
    if (rise > 0.0) known.normal_stiffness = rise / (2.0 * step);
  }
  if (known.normal_stiffness > 0.0) return SuggestStep(known);
  known.normal_stiffness = kNoSpring;
  StepEstimate result = SuggestStep(known);
  const bool bristles =
      std::isfinite(result.bristle_period) || std::isfinite(result.bristle_time_constant);
  if (!bristles) result.step = StepEstimate::kNone;
  result.normal_period = StepEstimate::kNone;
  return result;
}

ContactState ContactModel::Touch(const ContactGeometry& geometry,
                                 const ContactMotion& motion) const {
  ContactState state;
  state.touching = geometry.touching;
  if (!geometry.touching) return state;
  state.impact_speed = std::max(-motion.normal_speed, 0.0);
  state.normal_W = geometry.normal_W;
  if (parameters_.tau_relaxation > 0.0) state.relaxation = normal_.CompressionOf(geometry);
  return state;
}

void ContactModel::Transport(const Vector3d& normal_W, ContactState* state) {
  if (!state->touching) return;
  const NormalTurn turn(state->normal_W, normal_W);
  state->friction.deflection_W = turn.Tangent(state->friction.deflection_W);
  state->normal_W = normal_W;
}

// A softer body is compressed more.
Vector3d ContactModel::PlateOffset(const ContactGeometry& geometry) const {
  const auto* law = std::get_if<VolumetricNormal>(&parameters_.normal);
  if (law == nullptr || !parameters_.contact_plate) return Vector3d::Zero();
  const double a = 1.0 / law->stiffness_a, b = 1.0 / law->stiffness_b;
  return (a - b) / (a + b) * 0.5 * MeanHeight(geometry) * geometry.normal_W;
}

// k_v a J_t·ω_t, without the stiffness.
Vector3d ContactModel::RollingTorque(const ContactGeometry& geometry, const ContactMotion& motion,
                                     double damping_factor) const {
  const Vector3d &w = motion.rolling_velocity_W, &n = geometry.normal_W;
  if (parameters_.rolling == RollingInertia::kThesis) {
    return damping_factor * AcrossNormal(geometry.inertia_W * w, n);
  }
  const Matrix3d across = Matrix3d::Identity() - n * n.transpose();
  const Matrix3d second =
      0.5 * geometry.inertia_W.trace() * Matrix3d::Identity() - geometry.inertia_W;
  const Matrix3d S = across * second * across;
  return damping_factor * (S.trace() * w - S * w);
}

ContactForce ContactModel::Evaluate(const ContactGeometry& geometry, const ContactMotion& motion,
                                    const ContactState& given,
                                    const std::vector<PressureSample>& pressure) const {
  ContactForce result;
  if (!geometry.touching) return result;
  const ContactState state = given.touching ? given : Touch(geometry, motion);
  const Vector3d& n = geometry.normal_W;
  result.point_W = geometry.point_W;

  const double compression = std::max(normal_.CompressionOf(geometry) - state.relaxation, 0.0);
  const NormalForce normal = normal_.Evaluate(compression, motion.normal_speed, state.impact_speed);
  result.normal_W = normal.force * n;
  result.powers.elastic = -normal.elastic * motion.normal_speed;
  result.powers.normal_damping = (normal.elastic - normal.force) * motion.normal_speed;

  if (normal_.volumetric() && parameters_.rolling != RollingInertia::kNone && compression > 0.0) {
    const double stiffness = std::get<VolumetricNormal>(parameters_.normal).Stiffness();
    const double left = 1.0 + normal.damping_factor * motion.normal_speed;
    // The pressure is that of the volume less what relaxation takes off.
    const double pressed = compression / geometry.volume;
    result.rolling_W = std::clamp(left / kParting, 0.0, 1.0) * pressed * stiffness *
                       RollingTorque(geometry, motion, normal.damping_factor);
    result.powers.rolling = -result.rolling_W.dot(motion.rolling_velocity_W);
  }

  const Vector3d offset = PlateOffset(geometry);
  const NormalTurn turn(state.normal_W, n);
  FrictionState friction_state = state.friction;
  friction_state.deflection_W = turn.Tangent(friction_state.deflection_W);
  FrictionInput input;
  input.normal_force = normal.force;
  input.velocity_W = SlidingVelocity(geometry, motion);
  input.spin = motion.spin;
  input.gyration_radius = geometry.gyration_radius;
  input.depth = geometry.depth;
  input.normal_W = n;
  input.pressure = &pressure;
  const FrictionForce friction = EvaluateFriction(parameters_.friction, input, friction_state);
  result.tangential_W = friction.force_W;
  result.spinning_W = friction.torque * n;
  result.plate_W = geometry.point_W + offset;
  result.powers.bristle_elastic = friction.elastic_power;
  result.powers.bristle = friction.dissipated_power;
  result.powers.viscous = friction.viscous_power;
  result.powers.spin_elastic = friction.spin_elastic_power;
  result.powers.spin = friction.spin_dissipated_power;
  result.powers.clutch = friction.clutch_power;
  result.rate.deflection_W = turn.Back(friction.deflection_rate_W);
  result.rate.twist = friction.twist_rate;
  result.rate.dwell = friction.dwell_rate;
  if (parameters_.tau_relaxation > 0.0) {
    result.rate.relaxation = -state.relaxation / parameters_.tau_relaxation;
  }

  result.force_W = result.normal_W + result.tangential_W;
  result.torque_W = result.rolling_W + result.spinning_W + offset.cross(result.tangential_W);
  return result;
}

Vector3d ContactModel::SlidingVelocity(const ContactGeometry& geometry,
                                       const ContactMotion& motion) const {
  return motion.tangential_velocity_W + motion.rolling_velocity_W.cross(PlateOffset(geometry));
}

double ContactModel::BristleEnergy(const ContactGeometry& geometry, double normal_force,
                                   const FrictionState& state) const {
  const double square = state.deflection_W.squaredNorm();
  if (const auto* p = std::get_if<BristleFriction>(&parameters_.friction)) {
    const double r = geometry.gyration_radius, turned = r * r * state.twist * state.twist;
    return 0.5 * normal_force * p->sigma0 * (square + turned);
  }
  if (const auto* p = std::get_if<ClutchFriction>(&parameters_.friction)) {
    return 0.5 * p->stiffness * std::sqrt(std::max(0.0, geometry.depth)) * square;
  }
  return 0.0;
}

VOLCONTACT_NAMESPACE_END
