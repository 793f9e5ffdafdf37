// The room `mesh_repair`: how a mesh is mended: faces dropped or turned, holes filled.
//
// Which of several faces with the same vertices to keep.
#pragma once

#include <vector>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

struct DuplicateFaces {
  std::vector<int> copies;     ///< faces to drop, of which a copy stays
  std::vector<int> cancelled;  ///< faces to drop that lie on each other, turned against each other
};

/// Copies of equal sense leave one. Of copies of both senses none stays where the faces around
/// close without them (the walls between solids that touch), else one that closes the surface; nor
/// are all faces of a connected surface cancelled (every face given once for each side). Faces must
/// have three different vertices, in range.
DuplicateFaces FindDuplicates(const TriangleMesh& mesh);

}  // namespace volcontact
