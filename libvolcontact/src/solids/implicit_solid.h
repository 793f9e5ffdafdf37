// A solid compiled for integration: its distinct surfaces and a boolean expression over them.
#pragma once

#include <vector>

#include "math/double_double.h"
#include "math/polynomial.h"
#include "math/rigid.h"
#include "solids/expression.h"
#include "volcontact/math/aabb.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

using SurfacePolynomial = Polynomial<DoubleDouble>;

/// Surfaces psi (in the solid's frame, double-double coefficients scaled so that the largest is of
/// order one in units of the coefficients' own lengths) and the expression in their literals
/// psi <= 0. Surfaces that coincide up to a factor are one surface: a flush face or a shared wall is
/// recognised here, once, and can never leave a sliver.
struct ImplicitSolid {
  std::vector<SurfacePolynomial> surfaces;
  Expression expression;
  bool convex = false;
};

/// Compiles a solid.
ImplicitSolid Compile(const Solid& solid);

/// True when g = s·f for a number s, to double-double accuracy; `opposite` tells the sign of s. The
/// polynomials are compared by coefficient relative to the largest coefficient of the same degree.
bool Coincide(const SurfacePolynomial& f, const SurfacePolynomial& g, bool* opposite);

}  // namespace volcontact
