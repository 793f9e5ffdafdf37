// Meshes with few planes as boolean combinations of half-spaces.
#pragma once

#include <optional>

#include "volcontact/solids/solid.h"

namespace volcontact {

/// The same solid, with half-spaces in the place of each mesh among its leaves; nothing if a mesh
/// has too many planes or too involved a shape for that. Faces whose corners lie in one plane, but
/// for roundings, become faces on one plane. Cost: some 10 µs for each face.
std::optional<Solid> WithHalfSpacesForMeshes(const Solid& solid);

}  // namespace volcontact
