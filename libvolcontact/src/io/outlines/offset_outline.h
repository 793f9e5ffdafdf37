// Outlines that grow or shrink by a distance.
#pragma once

#include <optional>

#include "io/outlines/outline.h"

namespace volcontact {

/// The points within `distance` [m] of an outline, or, if it is negative, those of the outline that
/// are farther than that from all others: exact. Nothing for outlines of which the exact form is
/// not known: ellipses, intersections that grow, unions that shrink, holes that touch a boundary.
/// Empty if no point is left.
std::optional<Outline> OffsetRound(const Outline& outline, double distance);

/// The same with edges that are moved in parallel, so that corners stay corners. Discs remain
/// discs. Nothing, too, if an edge of a concave polygon vanishes.
std::optional<Outline> OffsetMitred(const Outline& outline, double distance);

}  // namespace volcontact
