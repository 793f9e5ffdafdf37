// What runs of scenarios share, into folders and in memory.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/run_summary.h"
#include "volcontact/scenario/scenario.h"
#include "volcontact/scenario/simulator.h"
#include "volcontact/scenario/time_series.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// Intervals between outputs; a run has one output more.
long NumIntervals(const Scenario& scenario);
/// The time of an output, from 0 to NumIntervals.
double OutputTime(const Scenario& scenario, long output);

/// The simulator's row. Throws SimulationError where it is not finite.
std::vector<double> FiniteRow(Simulator* simulator);

/// The ledger at the end, and how well it closes against the energy that was put in: what the
/// bodies had, what they could fall, and what loads and driven joints did.
EnergySummary EnergyOf(const TimeSeries& series);
/// Why a run of the scenario with this ledger has failed; empty for a good one, and where bodies
/// have hardly moved, by the tolerance of the integrator.
std::string LedgerFailure(const EnergySummary& energy, const Scenario& scenario);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
