// What a shared library exports and needs, read from its file.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// The names that a shared library of ELF, 64 bits, little-endian, defines for others: its table of
/// dynamic symbols. Nothing of it is loaded or run. Empty where the data are no such library, or
/// damaged. The names point into `elf`.
std::set<std::string_view> ExportedNames(std::string_view elf);

/// The names of the libraries that it needs (DT_NEEDED), in their order; read likewise.
std::vector<std::string> NeededLibraries(std::string_view elf);

/// A function that an FMU of this version (2 or 3) must have, for model exchange or co-simulation,
/// and the library does not export; empty where none is missing.
std::string MissingFunction(std::string_view elf, int version, bool cosimulation);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
