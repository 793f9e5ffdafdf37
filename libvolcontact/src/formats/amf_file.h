// AMF files: XML, plain or in a zip file.
#pragma once

#include <filesystem>
#include <string>

#include "io/meshes/mesh_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The volumes of the file's objects, as EnableMeshFormats says.
MeshBodies ParseAmf(const std::string& data, const std::string& origin,
                    const std::filesystem::path& folder);

VOLCONTACT_NAMESPACE_END
