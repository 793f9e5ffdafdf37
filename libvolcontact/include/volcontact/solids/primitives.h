// Primitive solids. Lengths in metres, from 1e-30 to 1e30 where positive. Every function throws
// InvalidInput that names the parameter, its value and its range, and may be called by any number
// of threads at a time.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The half-space z <= 0.
VOLCONTACT_EXPORT Solid HalfSpace();
/// The slab |z| <= thickness/2 (a biplane); thickness > 0.
VOLCONTACT_EXPORT Solid Slab(double thickness);
/// The ball of the given radius > 0 about the origin.
VOLCONTACT_EXPORT Solid Sphere(double radius);
/// The ellipsoid with semi-axes a, b, c > 0 along x, y, z.
VOLCONTACT_EXPORT Solid Ellipsoid(const Eigen::Vector3d& semi_axes);
/// The box centred at the origin with full edge lengths > 0.
VOLCONTACT_EXPORT Solid Box(const Eigen::Vector3d& size);
/// The cylinder of radius > 0 and height > 0 about z, |z| <= height/2.
VOLCONTACT_EXPORT Solid Cylinder(double radius, double height);
/// The infinite cylinder of radius > 0 about z.
VOLCONTACT_EXPORT Solid InfiniteCylinder(double radius);
/// The cone or truncated cone about z between z = 0 with `radius` and z = height with `radius_top`;
/// radii >= 0, not both 0, height > 0.
VOLCONTACT_EXPORT Solid Cone(double radius, double height, double radius_top = 0.0);
/// The capsule of radius > 0 about z: all points within `radius` of the segment |z| <= height/2;
/// height >= 0.
VOLCONTACT_EXPORT Solid Capsule(double radius, double height);
/// The torus about z: 0 < minor_radius <= major_radius.
VOLCONTACT_EXPORT Solid Torus(double major_radius, double minor_radius);
/// A 4x4 matrix without alignment: the layout does not depend on how the caller is compiled.
using QuadricMatrix = Eigen::Matrix<double, 4, 4, Eigen::DontAlign>;
/// The quadric x'Qx <= 0 with x = (x, y, z, 1); Q not zero and symmetric to 1e-9 of its largest
/// entry (of what asymmetry there is, the sum counts, exactly).
VOLCONTACT_EXPORT Solid Quadric(const QuadricMatrix& matrix);

/// A term c·x^i y^j z^k. A plain value.
struct PolynomialTerm {
  double coefficient = 0.0;
  std::array<int, 3> exponents = {0, 0, 0};
};
/// The solid sum of terms <= 0; exponents >= 0, total degree of the sum 1 to 4. Terms of equal
/// exponents add up.
VOLCONTACT_EXPORT Solid PolynomialSolid(const std::vector<PolynomialTerm>& terms);

VOLCONTACT_NAMESPACE_END
