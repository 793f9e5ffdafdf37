// Bodies of the project's own solid format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "volcontact/io/solid_file.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The members of the outermost union as bodies, with their names; of another solid one body.
/// Throws InvalidInput as ParseSolidJson does. Notes on a body are in its `why`.
std::vector<SolidBody> ParseJsonBodies(const std::string& text, const std::string& origin,
                                       const std::filesystem::path& folder,
                                       const ReadOptions& options);

VOLCONTACT_NAMESPACE_END
