// The files that go into an FMU.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fmi/writer/zip_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// The contact file, in which the solids' files have the names that they get beside it, and their
/// contents; those that JSON files name in turn, too. Throws InvalidInput for files that cannot be
/// read, and of kinds that the library in an FMU does not read.
nlohmann::json PackContact(const std::filesystem::path& contact_file,
                           std::vector<ZipMember>* resources);

/// The same of a scenario's bodies, whose files are looked for in `folder`.
void PackScenario(const std::filesystem::path& folder, nlohmann::json* scenario,
                  std::vector<ZipMember>* resources);

/// The shared library. Throws InvalidInput where none is named or there is none, and for what does
/// not export the functions of this version (2 or 3) for model exchange, or co-simulation.
std::string ReadLibrary(const std::filesystem::path& library, int version, bool cosimulation);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
