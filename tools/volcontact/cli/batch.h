// Queries for all rows of a table, in parallel, told in the order of the rows.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/pose_table.h"
#include "volcontact/overlap/prepared_pair.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

/// Options of a batch as typed.
struct BatchArguments {
  std::string poses;
  bool csv = false;

  /// Adds the options to a subcommand; *this must outlive it. Those that a table of poses leaves
  /// without meaning exclude it.
  void AddTo(CLI::App* command);
  bool IsGiven() const { return !poses.empty(); }
};

/// Calls emit(row, metrics) for every row in order, with a bar on the terminal. Rows that were not
/// reached within the time limit of all (RunWithin) are left out. Returns the
/// number of rows that were told. Throws InvalidInput that names the row, after the rows before it
/// were told.
std::size_t RunBatch(const PreparedPair& pair, const PoseTable& table, const QueryOptions& options,
                     const std::function<void(std::size_t, const Metrics&)>& emit);

/// How a batch ended: says on standard error what was left out.
ExitStatus FinishBatch(std::size_t told, const PoseTable& table, bool all_converged);

}  // namespace volcontact::tool
