// Files that hold several meshes by name: glTF, and by a component 3MF and AMF.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/meshes/object_tree.h"
#include "volcontact/export.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The meshes of such a file, in metres, and remarks on how it was understood.
struct MeshBodies {
  std::vector<NamedMesh> bodies;
  std::vector<std::string> notes;
};

/// Reads the bytes of a file of one of these formats. `origin` names it in messages, and files that
/// it names are in `folder`. Throws InvalidInput.
using MeshBodiesParser = MeshBodies (*)(const std::string& data, const std::string& origin,
                                        const std::filesystem::path& folder);

/// Makes the library read files of this extension (lower case, with its point). Exported for the
/// components of the library.
VOLCONTACT_EXPORT void AddMeshBodiesFormat(const std::string& extension, MeshBodiesParser parser);

/// Solids that together are the union of meshes that bound one. Meshes that do not overlap become
/// one mesh of several shells, which costs less than a union. `may_overlap` is asked about their
/// numbers. Exported for the components of the library.
VOLCONTACT_EXPORT std::vector<Solid> JoinedMeshes(
    const std::vector<const TriangleMesh*>& meshes,
    const std::function<bool(std::size_t, std::size_t)>& may_overlap);

/// Whether files of this extension hold meshes by name, also if this build cannot read them.
bool HoldsMeshBodies(const std::string& extension);

/// The chosen bodies of a file, in metres, with their names and numbers. Vertices of one body that
/// are equal, or differ by no more than single precision does, are joined. Throws InvalidInput that
/// names the file if it cannot be read, has no triangles, or has no such body. A note lists the
/// bodies if there are several and none is chosen, and another says if `unit_is_given` in vain.
std::vector<MeshBody> ParseMeshBodies(const std::string& data, const std::string& extension,
                                      const std::string& origin,
                                      const std::filesystem::path& folder,
                                      const std::string& choice, bool unit_is_given,
                                      std::vector<std::string>* notes);

/// The same as one mesh.
MeshFile ParseBodiesAsMesh(const std::string& data, const std::string& extension,
                           const std::string& origin, const std::filesystem::path& folder,
                           const std::string& choice, bool unit_is_given);

/// The same as solids. A body that bounds none comes without one, with the reason.
std::vector<SolidBody> ParseSolidBodies(const std::string& data, const std::string& extension,
                                        const std::string& origin,
                                        const std::filesystem::path& folder,
                                        const ReadOptions& options);

/// The same as one solid: the union of the bodies.
SolidFile ParseBodiesAsSolid(const std::string& data, const std::string& extension,
                             const std::string& origin, const std::filesystem::path& folder,
                             const ReadOptions& options);

VOLCONTACT_NAMESPACE_END
