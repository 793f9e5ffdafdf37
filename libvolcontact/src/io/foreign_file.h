// What is in a file instead of a solid, for messages.
#pragma once

#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The bytes without the mark with which some editors begin UTF-8. Exported for the components of
/// the library.
VOLCONTACT_EXPORT std::string_view WithoutByteOrderMark(std::string_view data);

/// Throws InvalidInput for what downloads leave instead of a solid: a web page, a pointer of Git
/// LFS. `begin`: the first bytes of the file, some hundred at least. Exported for the
/// components of the library.
VOLCONTACT_EXPORT void RefuseForeign(std::string_view begin, const std::string& origin);

/// "; line 7 has ..." where a text has numbers with a comma for the decimal point; else nothing.
std::string HintOfDecimalCommas(std::string_view text);

VOLCONTACT_NAMESPACE_END
