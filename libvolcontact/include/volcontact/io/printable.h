// Texts from files: made fit for a terminal, and words whose case does not matter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The text as one line that a terminal only shows: control characters, marks that turn the
/// direction of writing, and bytes that are no UTF-8 are written as a backslash, an x and two
/// hexadecimal digits for each byte. The result is valid UTF-8. Any number of threads may call it
/// at a time.
VOLCONTACT_EXPORT std::string Printable(std::string_view text);

/// The same, cut after `most` bytes at the most, with "..." where something is left out.
VOLCONTACT_EXPORT std::string Shown(std::string_view text, std::size_t most = 200);

/// The text with its ASCII letters in lower case.
VOLCONTACT_EXPORT std::string LowerCase(std::string text);

VOLCONTACT_NAMESPACE_END
