// Paths that name a body of a file: part.step#bolt.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

struct NamedBody {
  std::filesystem::path file;
  std::string body;
};

/// What the path of a file of bodies (STEP, 3MF, AMF, glTF) says of a body after its extension and
/// a #; nothing where it says nothing, or where a file has that very name. A body's name may hold
/// any characters, slashes, too. Throws InvalidInput where nothing follows the #.
std::optional<NamedBody> NamedBodyIn(const std::filesystem::path& path);

VOLCONTACT_NAMESPACE_END
