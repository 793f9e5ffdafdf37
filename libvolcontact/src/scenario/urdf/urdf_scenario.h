// Scenarios with robots from URDF files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The document of a scenario with links in the place of its "urdf" (docs/scenarios.md): each link
/// is a body with its joint, listed before the scenario's own bodies. A body of the scenario that
/// has the name of a link changes the members of that body. `origin`: the file of the scenario,
/// from whose folder names of files start. Throws InvalidInput that names the file, the link or
/// joint, and the cure.
nlohmann::json WithUrdf(const nlohmann::json& scenario, const std::string& origin);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
