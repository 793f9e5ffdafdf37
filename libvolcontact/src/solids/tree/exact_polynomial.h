// The polynomial of a shape without rounding.
#pragma once

#include "math/arithmetic/polynomial.h"
#include "solids/exact/exact_number.h"
#include "solids/tree/solid_node.h"

namespace volcontact {

/// The exact polynomial of a shape, terms of equal exponents summed, its degree the true one (0 for
/// a constant).
Polynomial<Rational> ExactPolynomial(const PolynomialShape& shape);

}  // namespace volcontact
