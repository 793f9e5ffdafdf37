// What a contact takes from a model of MuJoCo: names, bodies, shapes.
#pragma once

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// A side of a contact, found in the model.
struct FoundSide {
  int body = 0;
  std::vector<int> geoms;  ///< of which MuJoCo's contacts are taken out
  Solid solid;             ///< in the body's frame
};

/// Throws InvalidInput that names what is not there, and the cure.
FoundSide FindSide(const mjModel* model, const MujocoSide& side);

/// "geom \"ball\"", or "geom 0 of body \"link\"" for one without a name.
std::string NameOfGeom(const mjModel* model, int geom);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
