// Reads and writes triangle meshes. Any number of threads may call these functions at a time, on
// files that nobody writes meanwhile. A file is read as a whole: it needs its size in memory in
// addition to the mesh.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A mesh as read, lengths in metres, with remarks on how the file was understood. A plain value
/// that owns its lists.
struct MeshFile {
  TriangleMesh mesh;
  std::vector<std::string> notes;
};

/// A mesh of a file that holds several by name, where the file places it, lengths in metres. A
/// plain value that owns its lists.
struct MeshBody {
  int number = 0;    ///< from 1, in the order of the file
  std::string name;  ///< as in the file; "bolt:1", "bolt:2" if several bodies have it
  TriangleMesh mesh;
};

/// Whether the extension of a file is one ReadMesh knows: .stl, .obj, .ply, .off, .3mf, .amf,
/// .gltf, .glb in any case.
VOLCONTACT_EXPORT bool IsMeshFile(const std::filesystem::path& path);

/// Metres in one unit of length: "m", "mm", "cm" or "in"; 1 for an empty name. Throws InvalidInput
/// that lists these for another one.
VOLCONTACT_EXPORT double MetresPerUnit(const std::string& units);

/// Reads an STL (ASCII or binary), OBJ, PLY, OFF, glTF, 3MF or AMF file, the last two by the
/// component volcontact::formats. glTF, 3MF and AMF have a unit, and `scale` is not used, with a
/// note. They may hold several bodies: all of them make one mesh, with a note that lists them,
/// unless a # after the extension names one: plate.3mf#bolt. Other files are read with coordinates
/// times `scale` [m per unit of the file]. Without a scale they are metres, and a mesh longer than
/// 2 m or shorter than 0.1 mm gets a note that it may be in another unit. Vertices of STL files
/// with equal coordinates are joined. Polygons are cut into fans of triangles, with a note. The
/// mesh need not be closed: see CheckMesh. Throws InvalidInput with one line that says what is
/// wrong, where in the file, and what to do; a header that promises more than the file can hold is
/// such an error.
VOLCONTACT_EXPORT MeshFile ReadMesh(const std::filesystem::path& path,
                                    std::optional<double> scale = std::nullopt);

/// The meshes of a file one by one, or the one that a # after the extension names, as ReadMesh
/// reads them; of a file without bodies its one mesh. Adds remarks to `notes`.
VOLCONTACT_EXPORT std::vector<MeshBody> ReadMeshBodies(const std::filesystem::path& path,
                                                       std::vector<std::string>* notes,
                                                       std::optional<double> scale = std::nullopt);

/// The same as ReadMesh for the bytes of a file of this format ("stl", "obj", "ply", "off", "3mf",
/// "amf", "gltf" or "glb"); `origin` stands for the file in messages.
VOLCONTACT_EXPORT MeshFile ParseMesh(const std::string& data, const std::string& format,
                                     const std::string& origin,
                                     std::optional<double> scale = std::nullopt);

/// Writes a mesh by the extension of the path: binary STL (coordinates rounded to floats), or OBJ,
/// PLY or OFF with all digits. An existing file is replaced when the new one is complete. Throws
/// InvalidInput if it cannot be written.
VOLCONTACT_EXPORT void WriteMesh(const std::filesystem::path& path, const TriangleMesh& mesh);

VOLCONTACT_NAMESPACE_END
