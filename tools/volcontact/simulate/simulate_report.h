// What `simulate` and `reproduce` say of their runs.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "volcontact/scenario/run_summary.h"
#include "volcontact/scenario/scenario_file.h"

namespace volcontact::tool {

/// The runs of a scenario, for reading.
std::string SimulateText(const scenario::ScenarioFile& file,
                         const std::vector<scenario::RunSummary>& runs, const std::string& out);

/// The summaries of the runs; that of the only one alone, for a scenario without variants.
Json SimulateJson(const std::vector<scenario::RunSummary>& runs, bool without_variants);

/// How a measure stands beside its source: "agrees", "differs: why", or nothing.
std::string Verdict(const scenario::MeasureSummary& measure);

/// A number of a measure, to six digits; "none" where there is none.
std::string MeasureValue(const scenario::MeasureSummary& measure);

}  // namespace volcontact::tool
