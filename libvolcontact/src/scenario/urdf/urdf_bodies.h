// The links of a URDF file as bodies of a scenario.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

struct UrdfRequest {
  std::filesystem::path file;      ///< as the scenario names it
  std::filesystem::path folder;    ///< from which names of files start
  Pose pose;                       ///< of the root link, X_WB
  bool fixed = true;               ///< the root link is part of the ground
  nlohmann::json stops;            ///< "stiffness" and "damping" of joint limits, or null
  bool all_solids = false;         ///< collision shapes of all links, not only of those that touch
  std::set<std::string> touching;  ///< names of bodies in contacts
};

/// Members "bodies" and "couplings" of a scenario.
struct UrdfBodies {
  nlohmann::json bodies = nlohmann::json::array();
  nlohmann::json couplings = nlohmann::json::array();
};

/// The links of a file as bodies, and its mimicking joints as couplings. Throws InvalidInput that
/// names the file, the link or joint, and the cure.
UrdfBodies ReadUrdfBodies(const UrdfRequest& request);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
