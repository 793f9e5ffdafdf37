// Bounds of polynomial solids.
#pragma once

#include <optional>

#include "solids/tree/solid_node.h"

namespace volcontact {

/// A cube about the origin of the shape's frame that contains f <= 0, or f >= 0 with
/// `complemented`; nothing when the solid is unbounded or its boundedness could not be proven. For
/// degree four it is found where the leading form is positive (negative) in every direction by a
/// margin of 1e-10 of its coefficients. Cost up to some milliseconds.
std::optional<BoxShape> EnclosingCube(const PolynomialShape& shape, bool complemented);

}  // namespace volcontact
