// MuJoCo's callbacks, of which a process has one each.
#pragma once

#include "mujoco/model_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// Lets MuJoCo call the contacts of a model, which must outlive Unregister. With the first of them
/// mjcb_passive, mjcb_contactfilter and mjcb_sensor are taken over, and call who had them for what
/// is not ours; with the last they are given back, unless another has taken them since. Any thread.
/// Throws InvalidInput where the model has contacts already.
void Register(ModelContacts* contacts);
void Unregister(const ModelContacts* contacts);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
