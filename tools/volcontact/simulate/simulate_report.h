// What `simulate` and `reproduce` say of their runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "volcontact/scenario/run_summary.h"
#include "volcontact/scenario/scenario_file.h"

namespace volcontact::tool {

/// A run as it ended.
struct SimulatedRun {
  std::string variant;
  std::optional<scenario::RunSummary> summary;  ///< none where the run broke off
  std::string failure;                          ///< empty where nothing is wrong with it
};

/// A line for each run that failed.
std::vector<std::string> FailureLines(const std::vector<SimulatedRun>& runs);

/// The runs of a scenario, for reading: failures first.
std::string SimulateText(const scenario::ScenarioFile& file, const std::vector<SimulatedRun>& runs,
                         const std::string& out);

/// The summaries of the runs; that of the only one alone, for a scenario without variants.
Json SimulateJson(const std::string& file, const std::vector<SimulatedRun>& runs,
                  bool without_variants);

/// How often contacts began, the greatest normal force and its contact, and whether outputs missed
/// it.
std::string ContactText(const scenario::RunSummary& run);

/// How a measure stands beside its source: "agrees", "differs: why", "not reached" by a run that
/// ended before, or nothing.
std::string Verdict(const scenario::MeasureSummary& measure);

/// A number of a measure, to six digits; "none" where there is none.
std::string MeasureValue(const scenario::MeasureSummary& measure);

}  // namespace volcontact::tool
