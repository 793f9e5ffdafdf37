// The tree of links and joints of a URDF file, checked.
#pragma once

#include <urdf_model/model.h>

#include <filesystem>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The links of a file, parents before children. Throws InvalidInput unless every link but the root
/// is the child of one joint, and reachable from the root.
std::vector<urdf::LinkConstSharedPtr> ReadUrdfLinks(const std::filesystem::path& file);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
