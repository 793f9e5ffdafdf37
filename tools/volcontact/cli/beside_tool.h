// Libraries that are built with the tool and loaded only if they are needed.
#pragma once

#include <filesystem>
#include <string>

namespace volcontact::tool {

/// The library `name` beside the tool: in `installed` from the tool's folder, or in `built`, as in
/// its build. Empty if it is in neither.
std::filesystem::path BesideTool(const std::string& installed, const std::string& built,
                                 const std::string& name);

/// Makes ReadSolid and ReadBodies also read .step and .stp files: the first of them loads the
/// module with Open CASCADE, which takes longer to load than most commands take to run. Throws
/// InvalidInput, when a file is read, if the module is missing or cannot be loaded.
void ReadStepFilesByModule();

}  // namespace volcontact::tool
