// glTF 2.0 files: text (.gltf) and binary (.glb).
#pragma once

#include <filesystem>
#include <string>

#include "io/meshes/mesh_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The meshes of the file's scene, one for each node that has one, in metres. Triangles only:
/// lines and points are left out with a note. Materials, pictures, cameras, lights and animations
/// are not looked at; skins and morph targets are not applied, with a note. Buffers beside the file
/// are read from its folder and folders in that. Throws InvalidInput that names the place in the
/// file: for compressed meshes, and for all that does not lie within its buffer.
MeshBodies ParseGltf(const std::string& data, const std::string& origin,
                     const std::filesystem::path& folder);

VOLCONTACT_NAMESPACE_END
