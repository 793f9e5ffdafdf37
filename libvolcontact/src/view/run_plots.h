// What is plotted of a run beside its picture.
#pragma once

#include <vector>

#include "view/run_files.h"
#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// Places and speeds of bodies, forces of contacts, energies, and the scenario's own plots over
/// time, at some rows of the run. What is zero or rests all the time is left out, and so are places
/// that change by rounding only, beside a scene of this size [m].
std::vector<ScenePlot> PlotsOf(const RunFiles& run, const std::vector<std::size_t>& rows,
                               double size);

}  // namespace view
VOLCONTACT_NAMESPACE_END
