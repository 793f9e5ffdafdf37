// What a process says of its run, beside the results, which depend on none of it.
#pragma once

#include <filesystem>
#include <string>

#include "volcontact/export.h"
#include "volcontact/sweep/sweep_store.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// log/<host>-<pid>.json: machine, time and share of a run. A run that was killed has one without
/// an end.
class RunLog {
 public:
  /// Throws std::runtime_error where it cannot be written.
  RunLog(const std::filesystem::path& folder, const RunChunksOptions& options);
  /// Adds how the run ended: "done", "stopped", or an error.
  void End(const RunChunksEnd& end, const std::string& how) const;

 private:
  std::filesystem::path file_;
  std::string begin_;  // JSON without its end
};

/// Whether a file is such a log, by its name and by what stands in it.
bool IsRunLog(const std::filesystem::path& file);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
