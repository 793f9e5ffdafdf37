// Where the faces of one mesh cross or overlap each other.
#pragma once

#include <array>
#include <vector>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

struct SelfCrossings {
  std::vector<std::array<int, 2>> pairs;  ///< faces, ordered
  bool complete = true;                   ///< false when the search was given up
};

/// The pairs of faces that meet in more than what they share and in more than a touch. The mesh
/// must have distinct finite vertices, and faces with area of which no two are the same.
SelfCrossings FindSelfCrossings(const TriangleMesh& mesh);

}  // namespace volcontact
