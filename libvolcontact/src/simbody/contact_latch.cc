#include "simbody/contact_latch.h"

#include <Eigen/Geometry>
#include <cmath>
#include <ostream>

#include "math/minimal_rotation.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

constexpr std::size_t kNumSaved = 3 + 3 + 9 + kNumStates + 5;

}  // namespace

ContactState ContactLatch::StateOf(const Variables& z) const {
  ContactState state;
  state.touching = touching;
  if (!touching) return state;
  const States s = z.head<kNumStates>() - origin;
  state.impact_speed = impact_speed;
  state.normal_W = normal_W;
  state.friction.deflection_W = R_WT * s.segment<3>(kDeflection);
  state.friction.twist = s[kTwist];
  state.friction.dwell = s[kDwell];
  state.relaxation = s[kRelaxation];
  return state;
}

Variables ContactLatch::RateOf(const ContactForce& force) const {
  Variables rate;
  rate.segment<3>(kDeflection) = R_WT.transpose() * force.rate.deflection_W;
  rate[kTwist] = force.rate.twist;
  rate[kDwell] = force.rate.dwell;
  rate[kRelaxation] = force.rate.relaxation;
  const ContactPowers& p = force.powers;
  rate.tail<kNumVariables - kNumStates>() << p.elastic, p.normal_damping, p.rolling,
      p.bristle_elastic, p.bristle, p.viscous, p.spin_elastic, p.spin, p.clutch;
  return rate;
}

ContactEnergies ContactLatch::EnergiesOf(const Variables& z) const {
  ContactEnergies energies;
  energies.elastic = z[kElastic] - left_elastic;
  energies.normal_damping = z[kNormalDamping];
  energies.rolling = z[kRolling];
  energies.bristle_elastic = z[kBristleElastic] - left_bristle;
  energies.bristle = z[kBristle];
  energies.viscous = z[kViscous];
  energies.spin_elastic = z[kSpinElastic] - left_spin;
  energies.spin = z[kSpin];
  energies.clutch = z[kClutch];
  energies.lost = lost;
  energies.made = made;
  return energies;
}

ContactLatch ContactLatch::Next(const ContactModel& model, const ContactGeometry& geometry,
                                const ContactMotion& motion, const Variables& z) const {
  ContactLatch next = *this;
  next.touching = geometry.touching;
  if (touching && geometry.touching) {
    next.normal_W = geometry.normal_W;
    next.R_WT = MinimalRotation(normal_W, geometry.normal_W) * R_WT;
  } else if (geometry.touching) {
    next.Touch(model.Touch(geometry, motion), z);
  } else if (touching) {
    next.End(z);
  }
  return next;
}

void ContactLatch::Touch(const ContactState& state, const Variables& z) {
  ++touch_count;
  Take(state, z);
}

void ContactLatch::Take(const ContactState& state, const Variables& z) {
  impact_speed = state.impact_speed;
  normal_W = state.normal_W;
  R_WT.setIdentity();
  States start;
  start << state.friction.deflection_W, state.friction.twist, state.friction.dwell,
      state.relaxation;
  origin = z.head<kNumStates>() - start;
}

// A normal spring that is not back at zero has had no potential. Bristles let go of what they hold;
// where they gave more than they took, their stiffness had grown with the load.
void ContactLatch::End(const Variables& z) {
  const ContactEnergies now = EnergiesOf(z);
  made -= now.elastic;
  for (const double held : {now.bristle_elastic, now.spin_elastic}) {
    (held > 0.0 ? lost : made) += std::abs(held);
  }
  Leave(z);
}

void ContactLatch::Leave(const Variables& z) {
  touching = false;
  R_WT.setIdentity();  // as the next contact has it, whose first rates are found with this latch
  left_elastic = z[kElastic];
  left_bristle = z[kBristleElastic];
  left_spin = z[kSpinElastic];
}

void ContactLatch::Continue(const ContactState& state, const Holds& holds, const Variables& z) {
  touching = true;
  Take(state, z);
  left_elastic = z[kElastic] - holds.elastic;
  left_bristle = z[kBristleElastic] - holds.bristle;
  left_spin = z[kSpinElastic] - holds.spin;
}

ContactLatch ContactLatch::Begun(const ContactState& state, double stored,
                                 const Variables& z) const {
  ContactLatch begun = *this;
  begun.left_elastic = z[kElastic] - stored;
  begun.touching = state.touching;
  if (state.touching) begun.Touch(state, z);
  return begun;
}

std::vector<double> ContactLatch::Save() const {
  std::vector<double> saved = {touching ? 1.0 : 0.0, static_cast<double>(touch_count),
                               impact_speed};
  saved.insert(saved.end(), normal_W.data(), normal_W.data() + 3);
  saved.insert(saved.end(), R_WT.data(), R_WT.data() + 9);
  saved.insert(saved.end(), origin.data(), origin.data() + kNumStates);
  saved.insert(saved.end(), {left_elastic, left_bristle, left_spin, lost, made});
  return saved;
}

ContactLatch ContactLatch::Load(const std::vector<double>& saved) {
  if (saved.size() != kNumSaved) {
    throw InvalidInput("the saved state of a contact has " + std::to_string(saved.size()) +
                       " numbers instead of " + std::to_string(kNumSaved));
  }
  ContactLatch latch;
  const double* next = saved.data();
  latch.touching = *next++ != 0.0;
  latch.touch_count = static_cast<int>(*next++);
  latch.impact_speed = *next++;
  latch.normal_W = Eigen::Map<const Eigen::Vector3d>(next);
  latch.R_WT = Eigen::Map<const Eigen::Matrix3d>(next += 3);
  latch.origin = Eigen::Map<const States>(next += 9);
  next += kNumStates;
  for (double* value :
       {&latch.left_elastic, &latch.left_bristle, &latch.left_spin, &latch.lost, &latch.made}) {
    *value = *next++;
  }
  return latch;
}

std::ostream& operator<<(std::ostream& stream, const ContactLatch& latch) {
  return stream << (latch.touching ? "touching" : "apart");
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
