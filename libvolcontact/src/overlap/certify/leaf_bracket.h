// Certified bracket of the volume inside one undecided cell.
#pragma once

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/volume_bracket.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// Certified bracket of the volume of {expression} within a cell, in the cell's own coordinates:
/// the whole cell has volume 8. models[s] is the second-order model of surface s over the cell.
///
/// With h the cell's size relative to the radius of curvature, the width is O(h³) of the cell's
/// volume where one surface passes, O(h²) where up to six do, and that of bounds by fractions
/// (And: max(0, Σ−(n−1)) to min; Or: max to min(1, Σ)) beyond. Zero but for rounding for planes.
/// Where it is `coarse`, curved surfaces are bounded by fractions from three on: a third of the
/// cost, and in large cells about as good.
VolumeBracket BracketLeaf(const Expression& expression, const QuadraticModel* models, bool coarse);

}  // namespace volcontact
