// PLY files: text, and binary in either order of bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/mesh_syntax.h"

namespace volcontact {

/// Reads the vertices (x, y, z) and the faces (vertex_indices or vertex_index) of a PLY file, and
/// passes over all else. False where the data do not follow their header; throws InvalidInput,
/// naming `origin`, for a header that does not keep the format's grammar, declares no vertices or
/// faces, or promises more than the data can hold. Takes no memory that the data do not pay for.
bool ReadPly(std::string_view data, const std::string& origin, std::vector<MeshFilePoint>* points,
             std::vector<MeshFilePolygon>* polygons);

}  // namespace volcontact
