// What `view` is asked for.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/solid_arguments.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

/// Options as typed. Without `second`, `first` is the folder of a run.
struct ViewArguments {
  std::string first, second, out, page;
  std::string pose_A, pose_B, twist_A, twist_B;
  std::string params, state, solids_folder;
  std::optional<double> stiffness, deviation;
  std::optional<long> every;
  bool cells = false, arcs = false, force = false;
  SolidArguments solids;
  QueryArguments query;

  /// Adds the options to the subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// Throws InvalidInput that names an option which is out of range, or has nothing to do with what
  /// is shown.
  void Check(const CLI::App& command) const;
  bool ShowsRun() const { return second.empty(); }
};

}  // namespace volcontact::tool
