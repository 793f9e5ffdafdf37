// Advice on a scenario before it runs: bodies that start inside each other, an integrator that does
// not suit the stiffness of the contacts, solids that are faster as cells.
//
// Component volcontact::scenario.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// Each line names the contact and the cure; no advice prevents a run. Bodies whose initial pose
/// follows from joints are not tested for overlaps at the start. Throws InvalidInput as
/// PreparedPair and DisjointCells do. Any thread. Cost: a query for each volumetric contact, and
/// the search for cells.
VOLCONTACT_EXPORT std::vector<std::string> AdviceOf(const Scenario& scenario);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
