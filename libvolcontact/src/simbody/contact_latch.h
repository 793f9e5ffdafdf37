// What a contact keeps between accepted steps, beside its continuous variables.
#pragma once

#include <Eigen/Core>
#include <iosfwd>
#include <vector>

#include "volcontact/forces/contact_energies.h"
#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// The continuous variables of a contact, in this order.
enum : int {
  kDeflection = 0,  // three
  kTwist = 3,
  kDwell = 4,
  kRelaxation = 5,
  kNumStates = 6,
  kElastic = 6,
  kNormalDamping,
  kRolling,
  kBristleElastic,
  kBristle,
  kViscous,
  kSpinElastic,
  kSpin,
  kClutch,
  kNumVariables
};

using Variables = Eigen::Matrix<double, kNumVariables, 1>;
using States = Eigen::Matrix<double, kNumStates, 1>;

/// The discrete variable. An integrator lets no step change a continuous variable by a jump, so the
/// contact's state is a continuous variable less `origin`; and as the normal turns, the deflection
/// is R_WT times its variable, which is constant in the frame T that turns with the normal.
struct ContactLatch {
  bool touching = false;
  int touch_count = 0;
  double impact_speed = 0.0;
  Eigen::Vector3d normal_W = Eigen::Vector3d::UnitZ();
  Eigen::Matrix3d R_WT = Eigen::Matrix3d::Identity();
  States origin = States::Zero();
  /// Of kElastic, kBristleElastic, kSpinElastic: what contacts that ended left in them [J]. Of the
  /// first less what was stored before the start.
  double left_elastic = 0.0, left_bristle = 0.0, left_spin = 0.0;
  double lost = 0.0;  ///< of what was left: energy of bristles, lost when they let go [J]
  double made = 0.0;  ///< work of elastic forces beyond what they stored [J]

  ContactState StateOf(const Variables& z) const;
  /// The rates of `z`, energies included.
  Variables RateOf(const ContactForce& force) const;
  ContactEnergies EnergiesOf(const Variables& z) const;

  /// The latch after an accepted step that ended with this geometry and motion.
  ContactLatch Next(const ContactModel& model, const ContactGeometry& geometry,
                    const ContactMotion& motion, const Variables& z) const;

  /// The latch of a contact that was made before the simulation starts, in this state, with
  /// `stored` [J] in its normal spring.
  ContactLatch Begun(const ContactState& state, double stored, const Variables& z) const;

  /// Closes the books of what a contact that has ended left in its springs.
  void End(const Variables& z);
  /// Ends without its books being closed: another contact goes on with what it holds.
  void Leave(const Variables& z);
  /// Goes on in a state, with this in its springs [J].
  struct Holds {
    double elastic, bristle, spin;
  };
  void Continue(const ContactState& state, const Holds& holds, const Variables& z);

  std::vector<double> Save() const;
  /// Throws InvalidInput unless Save wrote the list.
  static ContactLatch Load(const std::vector<double>& saved);

 private:
  void Touch(const ContactState& state, const Variables& z);
  void Take(const ContactState& state, const Variables& z);
};

/// Simbody prints values of its state.
std::ostream& operator<<(std::ostream& stream, const ContactLatch& latch);

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
