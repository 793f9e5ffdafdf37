// Floats without rounding, for the predicates of this room. CGAL's header takes some seconds to
// compile, so only sources that need it include it.
#pragma once

#include "solids/exact/exact_number.h"

#if __has_include(<CGAL/Mpzf.h>)
#include <CGAL/Mpzf.h>
#endif

namespace volcontact {

/// For sums and products only: where there is one, a ring of floats without rounding, faster than
/// rationals.
#if defined(CGAL_HAS_MPZF)
using ExactFloat = CGAL::Mpzf;

inline int Sign(const ExactFloat& x) { return static_cast<int>(CGAL::sign(x)); }
inline double ToDouble(const ExactFloat& x) { return CGAL::to_double(x); }
#else
using ExactFloat = Rational;
#endif

}  // namespace volcontact
