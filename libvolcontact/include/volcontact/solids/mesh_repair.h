// Mending a triangle mesh.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A plain value that owns its lists: any number of threads may read one.
struct RepairResult {
  TriangleMesh mesh;
  std::vector<std::string> changes;  ///< one line each; empty when nothing was changed
};

/// Drops faces that name what is no vertex or no point, joins equal vertices, drops degenerate
/// faces, copies of faces and faces that cancel, turns faces to their neighbours, fills planar
/// holes of at most 64 edges where that crosses nothing, turns shells outward (those at odd depth
/// inward) and drops unused vertices. What cannot be done safely is left: CheckMesh tells whether
/// the result is sound. Throws InvalidInput for more faces than Mesh takes. Any number of threads
/// may call it at a time.
VOLCONTACT_EXPORT RepairResult RepairMesh(const TriangleMesh& mesh);

VOLCONTACT_NAMESPACE_END
