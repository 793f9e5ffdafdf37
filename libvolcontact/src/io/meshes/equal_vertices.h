// Vertices that a file repeats.
#pragma once

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Joins vertices that are equal, coordinate by coordinate; those of no face are left out.
void JoinEqualVertices(TriangleMesh* mesh);

}  // namespace volcontact
