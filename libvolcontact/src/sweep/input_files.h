// The files that a sweep reads, with their hashes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// All that a sweep document names, and what those files that are JSON name in turn by members
/// "file"; each once, by its path from the sweep file's folder, in the order of the paths. Throws
/// InvalidInput for a file that cannot be read. Cost: that of reading them.
std::vector<InputFile> FindInputFiles(const nlohmann::json& document,
                                      const std::filesystem::path& folder);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
