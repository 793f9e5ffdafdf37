// Names of solids are any bytes; the files that hold them are not.
#pragma once

#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// Text with every byte that is no part of UTF-8 replaced by U+FFFD.
std::string ValidUtf8(const std::string& text);

}  // namespace view
VOLCONTACT_NAMESPACE_END
