// What `simulate` and `reproduce` say of their runs.
#pragma once

#include <filesystem>
#include <string>

#include "cli/output.h"
#include "simulate/scenario_file.h"

namespace volcontact::tool {

/// A JSON file as the tool wrote it.
Json JsonOfFile(const std::filesystem::path& path);

/// The runs of a scenario, for reading.
std::string SimulateText(const ScenarioFile& scenario, const Json& runs, const std::string& out);

/// How a measure stands beside its source: "agrees", "differs: why", or nothing.
std::string Verdict(const Json& measure);

/// A number of a measure, to six digits; "none" for null.
std::string MeasureValue(const Json& measure);

}  // namespace volcontact::tool
