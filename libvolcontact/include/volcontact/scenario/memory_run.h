// Running a scenario for its measures alone, without files.
//
// Component volcontact::scenario, where it was built with Simbody.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/scenario_file.h"
#include "volcontact/scenario/simulator.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The results of a run.
struct MemoryRun {
  std::vector<double> measures;  ///< of the variant, in the order of the file; NaN: no answer
  SimulationStatistics statistics;
  std::string failure;  ///< why they are not to be used; empty for a good run
};

/// Runs one variant as RunVariant does, with the same measures to the last bit, and keeps the time
/// series in memory, 8 bytes a number, until the measures are taken. Nothing is returned when
/// `stop` ended it. Throws InvalidInput for a scenario that cannot be simulated, and
/// SimulationError. Any number of threads may run scenarios at once.
VOLCONTACT_EXPORT std::optional<MemoryRun> RunInMemory(const ScenarioFile& file,
                                                       const ScenarioVariant& variant,
                                                       const std::function<bool()>& stop = {});

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
