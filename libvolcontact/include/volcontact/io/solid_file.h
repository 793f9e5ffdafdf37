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

/// Reads a solid from a file by its extension: .json (the project's solid format) or .csg
/// (OpenSCAD's export; its unit is the millimetre). Throws InvalidInput with one line that names
/// the file, the place in it and the cure.
SolidFile ReadSolid(const std::filesystem::path& path);

/// Reads a solid from JSON text; `origin` stands for the file in messages.
SolidFile ParseSolidJson(const std::string& text, const std::string& origin);

/// Reads a solid from OpenSCAD .csg text, lengths times `unit` [m].
SolidFile ParseOpenScad(const std::string& text, const std::string& origin, double unit = 1e-3);

}  // namespace volcontact
