// From raw integrals in a local frame to what a query returns: the one place where that happens.
#pragma once

#include "overlap/frame/raw_answer.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact {

/// Where integrals were given up and have no volume although its bounds prove some: the middle of
/// the bounds, with half their width as its error, and a warning. So, too, where the time limit
/// ended them (`is_ended`) and the bounds allow for some: nothing found is not nothing there. To be
/// called before the others.
void TakeFromBounds(bool is_ended, RawAnswer* answer);

/// The metrics of an overlap. Raw integrals are in A's frame, which has the pose X_WA in the frame
/// of the metrics; `seconds` is what the call has taken [s].
Metrics BuildMetrics(const RawAnswer& answer, const Rigid& X_WA, const QueryOptions& options,
                     double seconds);

/// The mass properties of a single solid.
MassProperties BuildMassProperties(const RawAnswer& answer, const Rigid& X_WA,
                                   const QueryOptions& options, double seconds);

}  // namespace volcontact
