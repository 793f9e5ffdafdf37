// Faces without area.
#pragma once

#include <vector>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Gives the middle vertex of each face without area to the neighbour at its longest edge, which
/// leaves two faces with area in place of both and the surface as it was. Returns the faces
/// treated; some may stay. Vertices must be distinct, faces have three different ones.
std::vector<int> DissolveSlivers(TriangleMesh* mesh);

}  // namespace volcontact
