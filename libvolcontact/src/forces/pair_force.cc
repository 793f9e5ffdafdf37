#include "volcontact/forces/pair_force.h"

#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "volcontact/forces/contact_path.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::array<double ContactPowers::*, 9> kPowers = {
    &ContactPowers::elastic,         &ContactPowers::normal_damping, &ContactPowers::rolling,
    &ContactPowers::bristle_elastic, &ContactPowers::bristle,        &ContactPowers::viscous,
    &ContactPowers::spin_elastic,    &ContactPowers::spin,           &ContactPowers::clutch};

bool IsFiniteForce(const ContactForce& f) {
  const double rates = f.rate.deflection_W.sum() + f.rate.twist + f.rate.dwell + f.rate.relaxation;
  return f.force_W.allFinite() && f.torque_W.allFinite() && f.plate_W.allFinite() &&
         std::isfinite(rates) && std::isfinite(f.powers.Total());
}

}  // namespace

// But for the state and the force.
ForceAnswer PairForce::Geometry(const PairInstant& instant, const ContactState& before) const {
  ForceAnswer answer;
  answer.converged = instant.metrics.converged;
  answer.geometry = GeometryOf(instant.metrics, parameters_.direction,
                               before.touching ? before.normal_W : Eigen::Vector3d::Zero().eval());
  answer.motion = MotionAt(answer.geometry.point_W, answer.geometry.normal_W, instant.poses.X_WA,
                           instant.A, instant.poses.X_WB, instant.B);
  return answer;
}

std::vector<PressureSample> PairForce::Pressure(const PairInstant& instant,
                                                const ForceAnswer& answer) const {
  if (!answer.geometry.touching ||
      !std::holds_alternative<PatchCoulombFriction>(parameters_.friction)) {
    return {};
  }
  return SlidingPressure(*pair_, instant.poses.X_WA, instant.poses.X_WB, answer.geometry,
                         model_.SlidingVelocity(answer.geometry, answer.motion), answer.motion.spin,
                         options_);
}

void PairForce::Finish(const PairInstant& instant, ForceAnswer* answer) const {
  ContactModel::Transport(answer->geometry.normal_W, &answer->state);
  answer->force =
      model_.Evaluate(answer->geometry, answer->motion, answer->state, Pressure(instant, *answer));
  if (watch_ != nullptr && answer->geometry.touching) {
    answer->direction_fault = watch_->FaultAt(instant.poses.X_WA, instant.poses.X_WB);
  }
  if (IsFiniteForce(answer->force)) return;
  throw InvalidInput(
      "the forces are too large for floating-point numbers; check twists, state and parameters");
}

ForceAnswer PairForce::Evaluate(const PairInstant& instant, const ContactState& before) const {
  ForceAnswer answer = Geometry(instant, before);
  if (answer.geometry.touching && before.touching) answer.state = before;
  if (answer.geometry.touching && !before.touching) {
    answer.state = model_.Touch(answer.geometry, answer.motion);
    answer.state.impact_speed = impact_speed_.value_or(answer.state.impact_speed);
  }
  Finish(instant, &answer);
  return answer;
}

ForceAnswer PairForce::Follow(const PairInstant& instant, const ForceAnswer& last, double last_time,
                              double time) const {
  if (!last.state.touching) return Evaluate(instant, last.state);
  ForceAnswer answer = Geometry(instant, last.state);
  if (answer.geometry.touching) {
    answer.state = FollowContact(model_, last.state, {last_time, last.geometry, last.motion},
                                 {time, answer.geometry, answer.motion}, Pressure(instant, answer));
  }
  Finish(instant, &answer);
  return answer;
}

std::vector<ForceAnswer> ForcesOfPieces(const ContactParameters& parameters,
                                        const DividedPair& pair, const PairInstant& instant,
                                        const QueryOptions& options,
                                        std::optional<double> impact_speed) {
  const PairForce force(pair.is_divided() ? LawsOfPieces(parameters) : parameters, pair.whole(),
                        options, impact_speed);
  std::vector<ForceAnswer> answers;
  PairInstant piece = instant;
  for (Metrics& metrics : pair.Query(instant.poses.X_WA, instant.poses.X_WB, options)) {
    piece.metrics = std::move(metrics);
    answers.push_back(force.Evaluate(piece, {}));
  }
  return answers;
}

ContactForce SumOf(const std::vector<ContactForce>& forces) {
  ContactForce total;
  double largest = -1.0;
  for (const ContactForce& force : forces) {
    const double normal = force.normal_W.norm();
    if (!(normal > largest)) continue;
    largest = normal;
    total.point_W = force.point_W;
    total.plate_W = force.plate_W;
  }
  for (const ContactForce& force : forces) {
    total.force_W += force.force_W;
    total.torque_W += force.torque_W + (force.point_W - total.point_W).cross(force.force_W);
    total.normal_W += force.normal_W;
    total.tangential_W += force.tangential_W;
    total.rolling_W += force.rolling_W;
    total.spinning_W += force.spinning_W;
    for (const auto power : kPowers) total.powers.*power += force.powers.*power;
  }
  return total;
}

void RequireVolumetric(const ContactParameters& contact, const std::string& where) {
  if (std::holds_alternative<VolumetricNormal>(contact.normal)) return;
  throw InvalidInput(where +
                     "normal.law: only \"volumetric\" works between solids; the other laws "
                     "need the depth of a point contact, which the library's point pairs give");
}

VOLCONTACT_NAMESPACE_END
