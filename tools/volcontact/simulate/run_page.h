// The page that shows a run: index.html in its folder.
#pragma once

#include <filesystem>

#include "volcontact/scenario/run_summary.h"
#include "volcontact/scenario/scenario_file.h"

namespace volcontact::tool {

/// Writes folder/index.html: the pictures that lie there, the measures beside what the source
/// states, statistics, files, and a link to view.html where there is one. `variants` of a folder of
/// several runs get a page each that leads back. Opens from a disk, without a network or scripts;
/// names of the scenario are escaped. Throws std::runtime_error where it cannot be written.
void WriteRunPage(const scenario::RunSummary& run, const std::filesystem::path& folder);

/// Writes folder/index.html for a scenario with variants: those whose folders hold a finished run,
/// each with its overview and its measures. Without variants nothing is written.
void WriteVariantsPage(const scenario::ScenarioFile& file, const std::filesystem::path& folder);

}  // namespace volcontact::tool
