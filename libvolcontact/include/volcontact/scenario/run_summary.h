// What a run came to: statistics, the energy ledger, and measures beside what the source states.
//
// Component volcontact::scenario. Plain values; all functions may be called by any threads at once.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/simulator.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// A measure as it was taken.
struct MeasureSummary {
  std::string name, unit;
  double value = 0.0;  ///< NaN if the run has no answer
  std::string paper;   ///< the value of the source; empty if it states none
  bool agrees = false;
  bool compared = true;  ///< else the experiment was changed, and `agrees` says nothing
  bool reached = true;   ///< else the run ended before the time that the measure is about
  std::string source;
  std::string reason;  ///< why the value differs, where the scenario states a reason that holds
};

/// The energy ledger [J].
struct EnergySummary {
  /// At the end, by the names of the columns energy.*.
  std::vector<std::pair<std::string, double>> at_end;
  /// Energy of the bodies at the start, energy of their possible fall, and work of loads and driven
  /// joints.
  double put_in = 0.0;
  double residual_max = 0.0;       ///< greatest error of the ledger
  double residual_relative = 0.0;  ///< the same over `put_in`
};

struct RunSummary {
  std::string scenario, title, variant, source;  ///< the file, and what it says of itself
  std::string folder;  ///< absolute, of the scenario's file: where its solids' files were
  std::vector<std::string> notes;
  double end_time = 0.0;  ///< [s]
  bool error_control = false;
  long rows = 0;  ///< of the time series
  SimulationStatistics statistics;
  double seconds = 0.0, processor_seconds = 0.0;  ///< wall time and processor time [s]
  double real_time_factor = 0.0;                  ///< end_time over processor time
  EnergySummary energy;
  std::vector<ContactRecord> contacts;
  std::vector<MeasureSummary> measures;
  /// Why the result is not to be used: a ledger that does not close. Empty for a good run.
  std::string failure;
  std::vector<std::string> warnings;
  std::vector<std::string> advice;  ///< AdviceOf the scenario
};

/// As JSON (docs/scenarios.md): with line breaks where `indent` is not negative.
VOLCONTACT_EXPORT std::string ToJson(const RunSummary& summary, int indent = -1);

/// Reads what ToJson wrote, such as the summary.json of a run. Throws InvalidInput that names the
/// file and the place in it.
VOLCONTACT_EXPORT RunSummary ReadRunSummary(const std::filesystem::path& file);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
