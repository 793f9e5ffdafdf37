// From a mesh that was read to a solid, if it is sound.
#pragma once

#include <string>
#include <vector>

#include "volcontact/io/solid_file.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Throws InvalidInput as SoundMesh does, its message beginning with `origin`.
void RefuseDefects(const TriangleMesh& mesh, const ReadOptions& options, const std::string& origin,
                   std::vector<std::string>* notes);

/// The solid a mesh bounds. Throws InvalidInput with the words of CheckMesh for a defective mesh;
/// with options.accept_defects, those that leave an answer become notes, beginning with `origin`.
Solid SoundMesh(const TriangleMesh& mesh, const ReadOptions& options, const std::string& origin,
                std::vector<std::string>* notes);

}  // namespace volcontact
