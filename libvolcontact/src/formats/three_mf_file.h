// 3MF files: zip files with models in XML.
#pragma once

#include <filesystem>
#include <string>

#include "io/meshes/mesh_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The meshes of the objects that the file builds, as EnableMeshFormats says; of all objects that
/// no other one holds if it builds none.
MeshBodies ParseThreeMf(const std::string& data, const std::string& origin,
                        const std::filesystem::path& folder);

VOLCONTACT_NAMESPACE_END
