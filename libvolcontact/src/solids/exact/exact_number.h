// The room `exact`: decisions without rounding. Number types, the filter before them, motions of
// poses over any of them, and predicates of points. It knows no solids.
#pragma once

// CGAL takes GMP's rational numbers where it finds them. Its own header reads four seconds of other
// number types in each source.
#if defined(CGAL_USE_GMPXX)
#include <gmpxx.h>
#else
#include <CGAL/Exact_rational.h>
#endif

namespace volcontact {

/// Rational numbers without rounding; every finite double is one.
#if defined(CGAL_USE_GMPXX)
using Rational = mpq_class;
#else
using Rational = CGAL::Exact_rational;
#endif

/// −1, 0 or 1.
inline int Sign(const Rational& x) {
#if defined(CGAL_USE_GMPXX)
  return sgn(x);
#else
  return static_cast<int>(CGAL::sign(x));
#endif
}

/// A double near x, to some last place: it may be rounded either way.
inline double ToDouble(const Rational& x) {
#if defined(CGAL_USE_GMPXX)
  return x.get_d();
#else
  return CGAL::to_double(x);
#endif
}

inline Rational Magnitude(const Rational& x) { return Sign(x) < 0 ? Rational(-x) : x; }

}  // namespace volcontact
