// Contacts of many geoms, named by patterns and subtrees.
#pragma once

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// Whether a name stands for many: `*` for any text, `?` for one character.
bool IsPattern(const std::string& name);

/// Calls act(), and names the contact in what it throws.
template <class Act>
void ForContact(const MujocoContactSpec& spec, const Act& act) {
  try {
    act();
  } catch (const InvalidInput& error) {
    throw InvalidInput("contact \"" + spec.name + "\": " + error.what());
  }
}

/// The same contacts, each of two geoms or bodies: those that name many are taken apart
/// (MujocoSide). Throws InvalidInput where a contact of many has no pair, with the cure.
std::vector<MujocoContactSpec> OnePairEach(const mjModel* model,
                                           const std::vector<MujocoContactSpec>& specs);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
