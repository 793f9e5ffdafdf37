// Writing a zip file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// A file in a zip file.
struct ZipMember {
  std::string name;  ///< with folders, separated by slashes
  std::string data;
};

/// Replaces a zip file, or makes it: after a crash it is the old one or the new. Equal members give
/// equal bytes. Throws std::runtime_error where it cannot be written.
void WriteZip(const std::filesystem::path& file, const std::vector<ZipMember>& members);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
