// The shared libraries that a library needs besides the C library, as this process has them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

struct LoadedLibrary {
  std::string name;            ///< by which others need it
  std::filesystem::path file;  ///< canonical
};

/// All that a shared library needs, and what these need in turn, without the parts of the C
/// library: the files from which this process was loaded, so that what was tried here is what is
/// taken. Throws InvalidInput that names one that this process has not.
std::vector<LoadedLibrary> LibrariesNeededBy(std::string_view elf);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
