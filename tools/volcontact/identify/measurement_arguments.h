// Options that say how a file of measurements is read.
#pragma once

#include <string>
#include <vector>

#include "volcontact/identify/measurements.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

/// How to read the file, as typed.
struct MeasurementArguments {
  std::string file;
  std::vector<std::string> columns, units, negated;  ///< role=name, role=unit, role
  bool skip_bad_rows = false;

  /// Adds the options to a subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// The same for the library.
  identify::MeasurementSource Source() const;
};

}  // namespace volcontact::tool
