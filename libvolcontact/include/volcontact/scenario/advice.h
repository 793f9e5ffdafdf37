// What to know of a scenario before it runs: bodies that start inside each other, an integrator
// that does not go with how stiff the contacts are, solids that are quicker as cells.
//
// Component volcontact::scenario.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// One line each, which names the contact and the cure; none of it keeps a scenario from running.
/// Of bodies whose initial pose follows from joints overlaps at the start are not looked for.
/// Throws InvalidInput as PreparedPair and DisjointCells do. Any thread. Cost: a query for each
/// volumetric contact, and what finding cells costs.
VOLCONTACT_EXPORT std::vector<std::string> AdviceOf(const Scenario& scenario);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
