#include "volcontact/forces/pair_force.h"

#include <cmath>
#include <variant>

#include "volcontact/forces/contact_path.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

bool IsFiniteForce(const ContactForce& f) {
  const double rates = f.rate.deflection_W.sum() + f.rate.twist + f.rate.dwell + f.rate.relaxation;
  return f.force_W.allFinite() && f.torque_W.allFinite() && f.plate_W.allFinite() &&
         std::isfinite(rates) && std::isfinite(f.powers.Total());
}

}  // namespace

// But for the state and the force.
ForceAnswer PairForce::Geometry(const PairInstant& instant, const ContactState& before) const {
  ForceAnswer answer;
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

void RequireVolumetric(const ContactParameters& contact, const std::string& where) {
  if (std::holds_alternative<VolumetricNormal>(contact.normal)) return;
  throw InvalidInput(where +
                     "normal.law: only \"volumetric\" works between solids; the other laws "
                     "need the depth of a point contact, which the library's point pairs give");
}

VOLCONTACT_NAMESPACE_END
