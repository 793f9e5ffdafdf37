// Reading solids from files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "volcontact/solids/solid.h"

namespace volcontact {

/// A solid as read, in metres, with what its file says beside it.
struct SolidFile {
  Solid solid;
  std::string name;
  /// Remarks on how the file was understood, such as a faceted curve that is kept exact.
  std::vector<std::string> notes;
};

/// Reads a solid from a file by its extension: .json (the project's solid format), .csg (OpenSCAD's
/// export; its unit is the millimetre), or a mesh (.stl, .obj, .ply, .off; in metres). Throws InvalidInput with one line that names
/// the file, the place in it and the cure.
SolidFile ReadSolid(const std::filesystem::path& path);

/// Reads a solid from JSON text; `origin` stands for the file in messages. Mesh files with relative
/// names are looked for in `folder`.
SolidFile ParseSolidJson(const std::string& text, const std::string& origin,
                         const std::filesystem::path& folder = {});

/// Reads a solid from OpenSCAD .csg text, lengths times `unit` [m].
SolidFile ParseOpenScad(const std::string& text, const std::string& origin, double unit = 1e-3);

}  // namespace volcontact
