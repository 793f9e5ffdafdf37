// Reduces an expression to its undecided part in a cell.
#pragma once

#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "solids/implicit/reduce.h"

namespace volcontact {

/// What is left of another in a cell where truth_of(s) tells the state of a surface; it is asked
/// about those surfaces only that matter: of bodies that are elsewhere about one or two.
template <class SurfaceTruth>
void ReduceUndecided(const Undecided& parent, const SurfaceTruth& truth_of, Undecided* left) {
  thread_local std::vector<Expression::Node> nodes;
  Reduce(parent.expression, truth_of, &nodes, &left->expression);
  left->expression.FindSurfaces(&left->surfaces);
}

}  // namespace volcontact
