// Event polynomials of surfaces of degree <= 2, the common case, without detours.
#pragma once

#include <array>

#include "integration/event_polynomial.h"
#include "integration/slice_surface.h"

namespace volcontact {

/// Ascending coefficients of a polynomial in v of degree <= 4.
using Quartic = std::array<double, 5>;

/// EventPolynomial for two surfaces of degree <= 2.
Quartic QuadricEventPolynomial(EventSource::Kind kind, const SliceSurface& f,
                               const SliceSurface& g);

/// True when the polynomial certainly has no root in [lo, hi], by its Taylor expansion about the middle.
bool HasNoRoot(const Quartic& p, double lo, double hi);

}  // namespace volcontact
