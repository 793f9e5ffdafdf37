// The room `exact`: decisions without rounding. Number types, the filter before them, motions of
// poses over any of them, and predicates of points. It knows no solids.
#pragma once

#include <CGAL/Exact_rational.h>

#if defined(CGAL_HAS_MPZF)
#include <CGAL/Mpzf.h>
#endif

namespace volcontact {

/// Rational numbers without rounding; every finite double is one.
using Rational = CGAL::Exact_rational;

inline int Sign(const Rational& x) { return static_cast<int>(CGAL::sign(x)); }

/// For sums and products only: where there is one, a ring of floats without rounding, faster than
/// rationals.
#if defined(CGAL_HAS_MPZF)
using ExactFloat = CGAL::Mpzf;
#else
using ExactFloat = Rational;
#endif

}  // namespace volcontact
