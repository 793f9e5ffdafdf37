// Contacts of many geoms, named by patterns and subtrees.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// The same contacts, each of two geoms or bodies: those that name many are taken apart
/// (MujocoSide). Throws InvalidInput where a contact of many has no pair, with the cure.
std::vector<MujocoContactSpec> OnePairEach(const mjModel* model,
                                           const std::vector<MujocoContactSpec>& specs);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
