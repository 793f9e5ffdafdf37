// Pieces of one-line error messages about text files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "volcontact/export.h"
#include "volcontact/io/printable.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Deepest nesting that the readers accept. They recurse, as does whatever walks the solid later;
/// the limit keeps a malicious file from exhausting the stack.
inline constexpr int kMaxNesting = 400;

/// The text in double quotes, printable and cut to a length that fits a message. Exported for the
/// components of the library.
VOLCONTACT_EXPORT std::string Quoted(std::string_view text);

/// The words separated by commas.
std::string Listed(std::span<const std::string_view> words);

/// ` (did you mean "radius"?)` for the nearest of the known words, or nothing when none is near.
std::string Suggestion(std::string_view word, std::span<const std::string_view> known);

/// "line 3, column 14" of a byte of the text; both count from one, columns in bytes.
std::string LineAndColumn(std::string_view text, std::size_t offset);

VOLCONTACT_NAMESPACE_END
