// The state of a contact along a given motion.
#pragma once

#include <vector>

#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A contact at one instant of a motion that is known.
struct ContactInstant {
  double time = 0.0;  ///< [s]
  ContactGeometry geometry;
  ContactMotion motion;
};

/// The state at `to` of a contact with `state` at `from`; both touch, and the state does. Between
/// the two geometry and motion are linear in time. Its rates are integrated by Runge and Kutta's
/// method of order 4, with sixteen steps in each time constant of friction and relaxation, to some
/// 1e-6 of a deflection where the motion is smooth; `pressure` is that of patch_coulomb at `to`,
/// which has no rates. Throws InvalidInput for times that do not ascend, and where they are so far
/// apart that more than 200,000 steps would be needed. Cost: about 0.4 µs a step with bristles, 1
/// µs with a clutch or relaxation alone; eight steps at least. Any thread.
VOLCONTACT_EXPORT ContactState FollowContact(const ContactModel& model, const ContactState& state,
                                             const ContactInstant& from, const ContactInstant& to,
                                             const std::vector<PressureSample>& pressure = {});

VOLCONTACT_NAMESPACE_END
