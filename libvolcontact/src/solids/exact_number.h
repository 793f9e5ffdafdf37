// The exact number type of the module.
#pragma once

#include <CGAL/Exact_rational.h>

namespace volcontact {

/// Rational numbers without rounding; every finite double is one.
using Rational = CGAL::Exact_rational;

}  // namespace volcontact
