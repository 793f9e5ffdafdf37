// The room `implicit`: what a primitive is, as polynomial surfaces and an expression over them.
//
// A solid compiled for integration: its distinct surfaces and a boolean expression over them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "math/arithmetic/double_double.h"
#include "math/arithmetic/polynomial.h"
#include "math/rigid.h"
#include "solids/implicit/expression.h"
#include "volcontact/math/aabb.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

using SurfacePolynomial = Polynomial<DoubleDouble>;

/// What a surface is, up to an affine map.
enum class SurfaceKind : std::uint8_t {
  kPlane,
  kCylinder,  ///< over a conic of one centre: straight lines of one direction
  kCone,
  kElliptic,  ///< bent to one side: an ellipsoid, a paraboloid, or a hyperboloid of two sheets
  kSaddle,    ///< bent to both sides: a hyperboloid of one sheet or a hyperbolic paraboloid
  kTorus,
  kOther,  ///< a pair of planes, another surface of higher degree
};

/// Surfaces psi (in the solid's frame, double-double coefficients scaled so that the largest is of
/// order one in units of the coefficients' own lengths) and the expression in their literals
/// psi <= 0. Surfaces that coincide up to a factor are one surface: a flush face or a shared wall
/// is recognised here, once, and can never leave a sliver.
struct ImplicitSolid {
  std::vector<SurfacePolynomial> surfaces;
  std::vector<SurfaceKind> kinds;  ///< of the surfaces
  Expression expression;
  bool convex = false;
  /// A point within each of the connected primitives that it is the union of; none if it is another
  /// solid.
  std::vector<Eigen::Vector3d> parts = {};
  /// The largest translation among the poses [m]: roundings of the surfaces are relative to it.
  double length = 0.0;
};

/// Compiles a solid. Cost near linear in the number of its primitives, times the depth of the tree.
ImplicitSolid Compile(const Solid& solid);

/// About the size of a surface, or its distance from the origin [m].
double RootLength(const SurfacePolynomial& psi);

/// True when g = s·f for a number s, to double-double accuracy: over the box |x| <= length, or
/// about as far as the surfaces lie from the origin where that is more, f and g/s differ by less
/// than about 1e-26 of the leading terms. `opposite`: s is negative. `length` [m] is the
/// largest translation that entered the coefficients; it matters where translations cancelled.
bool Coincide(const SurfacePolynomial& f, const SurfacePolynomial& g, bool* opposite,
              double length = 0.0);

}  // namespace volcontact
