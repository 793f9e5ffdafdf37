// Joint tests of several surfaces over one cell: no point satisfies all of them, or here is one.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// The literal sign·psi_surface <= 0, sign = ±1.
struct Constraint {
  int surface;
  double sign;
};
using Conjunction = std::vector<Constraint>;

/// Lower bound over the cell of the function that combines the literals' sign·psi by And = max,
/// Or = min: positive means that the expression is false in the whole cell.
double LowerBound(const Expression& expression, const QuadraticModel* models);

/// The conjunction of literals that is nearest to being true at the cell's centre, when each Or is
/// replaced by its best operand.
void MostPromising(const Expression& expression, const QuadraticModel* models, Conjunction* result);

/// True when it is certain that the expression holds at no interior point of the cell; the surfaces
/// need not be decided one by one. If it held, Σ λ_i sign_i psi_i <= 0 there for all λ >= 0; a λ
/// that makes the gradients cancel leaves a quadratic with a positive lower bound (Farkas). That
/// separates surfaces that face each other across a gap with cells of the size of the square root
/// of the gap, not of the gap. Ors are expanded while few.
bool Refute(const Expression& expression, const QuadraticModel* models);

}  // namespace volcontact
