// What tells whether two files are the same.
#pragma once

#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
std::string Sha256(std::string_view bytes);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
