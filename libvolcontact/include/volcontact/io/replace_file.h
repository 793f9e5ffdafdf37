// Writing a file in one step.
#pragma once

#include <filesystem>
#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Replaces a file, or makes it: after a crash it holds the old text or the new, because the text
/// goes into a file beside it (`file`.new) that then takes its name. Throws std::runtime_error when
/// it cannot be written. Two threads must not replace one file at once.
VOLCONTACT_EXPORT void ReplaceFile(const std::filesystem::path& file, const std::string& text);

VOLCONTACT_NAMESPACE_END
