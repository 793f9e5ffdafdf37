// The energy books of a contact between accepted steps.
#pragma once

#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// The books at `now`, from those at `last` (null: they begin): powers by the trapezoidal rule,
/// between zero and the end of a step in which a contact is made or ends. When the last patch has
/// ended, what springs hold is lost or made, as ContactEnergies says.
ContactEnergies NextBooks(const MujocoContactMoment* last, const MujocoContactMoment& now);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
