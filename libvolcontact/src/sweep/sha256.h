// Checksums, which show whether two files are the same.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
std::string Sha256(std::string_view bytes);

/// The same of a file, of any size. Throws std::runtime_error where it cannot be read.
std::string Sha256OfFile(const std::filesystem::path& file);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
