// Options that say which solids are pressed together, and how.
#pragma once

#include <string>
#include <vector>

#include "cli/solid_arguments.h"
#include "volcontact/identify/press.h"
#include "volcontact/solids/solid.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

/// The solids, with what their readers noted.
struct PressSolids {
  Solid A, B;
  std::vector<std::string> notes;
};

struct PressArguments {
  std::vector<std::string> solids;
  std::string pose_A, pose_B, direction = "0,0,-1";
  double tolerance = 1e-9;
  SolidArguments reading;

  /// Adds the options to a subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// These throw InvalidInput that names the option or the file.
  PressSolids Read() const;
  identify::PressPath Path() const;
  double CheckedTolerance() const;
};

/// The unit vector along x,y,z. Throws InvalidInput that names the option.
Eigen::Vector3d ParseDirection(const std::string& text, const std::string& option);

}  // namespace volcontact::tool
