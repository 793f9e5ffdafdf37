// From raw integrals in a local frame to what a query returns: the one place where that happens.
#pragma once

#include "overlap/frame/raw_answer.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact {

/// Compares what any method has found with the bounds of its volume: outside of them it has not
/// converged. Where it has no volume although its bounds allow some: the middle of the bounds, with
/// half their width as its error, and a warning. To be called before the others.
void HoldToBounds(double tolerance, RawAnswer* answer);

/// The metrics of an overlap. Raw integrals are in A's frame, which has the pose X_WA in the frame
/// of the metrics. The time of the call is the caller's to set, because this takes some of it.
Metrics BuildMetrics(const RawAnswer& answer, const Rigid& X_WA, const QueryOptions& options);

/// The mass properties of a single solid, without the time of the call.
MassProperties BuildMassProperties(const RawAnswer& answer, const Rigid& X_WA,
                                   const QueryOptions& options);

}  // namespace volcontact
