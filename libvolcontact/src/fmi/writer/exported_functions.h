// What a shared library exports, read from its file.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// The names that a shared library of ELF, 64 bits, little-endian, defines for others: its table of
/// dynamic symbols. Nothing of it is loaded or run. Empty where the data are no such library, or
/// damaged. The names point into `elf`.
std::set<std::string_view> ExportedNames(std::string_view elf);

/// A function that a model-exchange FMU of this version (2 or 3) must have and the library does
/// not export; empty where none is missing.
std::string MissingFunction(std::string_view elf, int version);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
