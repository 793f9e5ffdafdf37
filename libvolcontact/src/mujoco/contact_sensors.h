// User sensors of a model that show contacts.
#pragma once

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// A sensor `<user name="CONTACT.QUANTITY">`.
struct ContactSensor {
  int contact = 0, quantity = 0;
  int address = 0;  ///< in sensordata
  int stage = 0;
};

/// The user sensors of which the name begins with that of a contact and a dot. Throws InvalidInput
/// for those of an unknown quantity, of another dimension, or of a stage before that of velocities.
std::vector<ContactSensor> FindSensors(const mjModel* model, const std::vector<std::string>& names);

/// Writes what a contact does. `origin_A` is that of A's body, in W.
void Fill(const ContactSensor& sensor, const MujocoContactMoment& moment, const mjtNum* origin_A,
          mjtNum* sensordata);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
