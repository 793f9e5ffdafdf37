// Polynomials whose roots are the places on a slice where surfaces of degree <= 2 cause events.
#pragma once

#include <array>

#include "overlap/columns/event_source.h"
#include "overlap/columns/slice_surface.h"

namespace volcontact {

/// Ascending coefficients of a polynomial in v of degree <= 4.
using Quartic = std::array<double, 5>;

/// The polynomial in v that vanishes where an event of surfaces of degree <= 2 happens: the
/// discriminant of the column polynomial, the wall itself, or the resultant in z of the two column
/// polynomials.
Quartic QuadricEventPolynomial(EventSource::Kind kind, const SliceSurface& f,
                               const SliceSurface& g);

/// True when the polynomial certainly has no root in [lo, hi], by its Taylor expansion about the
/// middle.
bool HasNoRoot(const Quartic& p, double lo, double hi);

}  // namespace volcontact
