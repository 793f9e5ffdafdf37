// The energy books of a contact between accepted steps.
#pragma once

#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// The books at `now`, from those at `last` (null: they begin): the mean of the powers of the last
/// forces, `before`, one for each patch, and of the present ones, over the step. When the last
/// patch has ended, what springs hold is lost or made, as ContactEnergies says.
ContactEnergies NextBooks(const MujocoContactMoment* last, const std::vector<ContactPowers>& before,
                          const MujocoContactMoment& now);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
