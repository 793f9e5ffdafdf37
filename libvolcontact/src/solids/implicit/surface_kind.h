// What a polynomial surface is, whatever its pose.
#pragma once

#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// The kind of the surface psi = 0, in double-double: what differs from a degenerate one by less
/// than 1e-24 or so counts as degenerate. `length` [m]: bounds the translations that have led to
/// it.
SurfaceKind KindOf(const SurfacePolynomial& psi, double length);

}  // namespace volcontact
