// The geometry of a contact near a pose where it is known.
#pragma once

#include "simbody/pair_geometry.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// Whether the volume of an overlap is known to second order, the rest to first.
bool IsSecondOrder(const Metrics& overlap);

/// What the geometry that GeometryOf makes of an overlap of a look becomes when the bodies move by
/// little from there: to the order that is known. Without a Hessian in the volume, and about so in
/// the centroid's way over a tilted patch, which together are what is stiff.
ContactGeometry MovedGeometry(const Metrics& overlap, const ContactGeometry& geometry,
                              ContactDirection direction, const PairLook& look, const Pose& X_WA,
                              const Pose& X_WB);

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
