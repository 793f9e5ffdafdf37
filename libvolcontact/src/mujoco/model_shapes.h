// What a contact takes from a model of MuJoCo: names, bodies, shapes.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>
#include <utility>
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

/// What may be done to the meshes of geoms, and what was.
struct MeshMending {
  bool is_allowed = false;
  std::vector<std::string>* notes = nullptr;  ///< a line for each mesh that was mended
};

/// Throws InvalidInput that names what is not there, and the cure.
FoundSide FindSide(const mjModel* model, const MujocoSide& side, const MeshMending& mending);

/// The geoms of a side. Throws as FindSide.
std::vector<int> FindGeoms(const mjModel* model, const MujocoSide& side);

/// Two geoms, the lesser first.
inline std::pair<int, int> Ordered(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// Empty for one without a name.
std::string NameOf(const mjModel* model, mjtObj type, int id);

/// The id of a body. Throws InvalidInput for an unknown name, and lists the names.
int FindBody(const mjModel* model, const std::string& name);

/// "geom \"ball\"", or "geom 0 of body \"link\"" for one without a name.
std::string NameOfGeom(const mjModel* model, int geom);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
