// Stiffnesses that MuJoCo's contacts leave to us.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

#include "mujoco/model_shapes.h"
#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// Puts the stiffness that a contact asks for into its law, for the masses that the model has and
/// spheres of the solids' volumes; what is to be told of it. Throws InvalidInput without gravity,
/// and where nothing has a mass or bounds.
std::string ChooseStiffness(const mjModel* model, const FoundSide& A, const FoundSide& B,
                            const MujocoStiffness& choice, ContactParameters* parameters);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
