// Gaps that the rounding of a file left between faces.
#pragma once

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Joins vertices at open edges that are no farther from each other than what numbers of single
/// precision leave open of the mesh's largest coordinate, where fewer edges are open then: files
/// have corners once for every face, and programs that compute them anew each time round them
/// differently. Sound meshes stay as they are.
void CloseRoundingGaps(TriangleMesh* mesh);

}  // namespace volcontact
