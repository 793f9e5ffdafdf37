#include "volcontact/solids/primitives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solids/tree/exact_polynomial.h"
#include "solids/tree/solid_node.h"
#include "solids/tree/validation.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr char kAxisName[] = "xyz";

// Entries of a quadric's matrix that mirror each other may differ by the roundings of the caller's
// arithmetic, not by more.
constexpr double kAsymmetry = 1e-9;

Solid MakePrimitive(Shape shape) {
  return Solid(std::make_shared<const SolidNode>(SolidNode{std::move(shape), {}}));
}

void RequireTerm(std::size_t number, const PolynomialTerm& term) {
  RequireFinite("PolynomialSolid", fmt::format("the coefficient of term {}", number),
                term.coefficient);
  const auto& e = term.exponents;
  const bool negative = std::min({e[0], e[1], e[2]}) < 0;
  // Each exponent is tested first: the sum of hostile ones overflows.
  const bool large = std::max({e[0], e[1], e[2]}) > 4 || e[0] + e[1] + e[2] > 4;
  if (negative || large) {
    throw InvalidInput(
        fmt::format("PolynomialSolid: term {} has exponents ({}, {}, {}); they must "
                    "not be negative, and their sum must not exceed 4",
                    number, e[0], e[1], e[2]));
  }
}

}  // namespace

Solid HalfSpace() { return MakePrimitive(HalfSpaceShape{}); }

Solid Slab(double thickness) {
  RequireLength("Slab", "thickness", thickness);
  return MakePrimitive(SlabShape{thickness});
}

Solid Sphere(double radius) {
  RequireLength("Sphere", "radius", radius);
  return MakePrimitive(SphereShape{radius});
}

Solid Ellipsoid(const Eigen::Vector3d& semi_axes) {
  for (int i = 0; i < 3; ++i) {
    RequireLength("Ellipsoid", fmt::format("the semi-axis along {}", kAxisName[i]), semi_axes[i]);
  }
  return MakePrimitive(EllipsoidShape{{semi_axes.x(), semi_axes.y(), semi_axes.z()}});
}

Solid Box(const Eigen::Vector3d& size) {
  for (int i = 0; i < 3; ++i) {
    RequireLength("Box", fmt::format("the size along {}", kAxisName[i]), size[i]);
  }
  return MakePrimitive(BoxShape{{size.x(), size.y(), size.z()}});
}

Solid Cylinder(double radius, double height) {
  RequireLength("Cylinder", "radius", radius);
  RequireLength("Cylinder", "height", height);
  return MakePrimitive(CylinderShape{radius, height});
}

Solid InfiniteCylinder(double radius) {
  RequireLength("InfiniteCylinder", "radius", radius);
  return MakePrimitive(CylinderShape{radius, std::numeric_limits<double>::infinity()});
}

Solid Cone(double radius, double height, double radius_top) {
  RequireLengthOrZero("Cone", "radius", radius);
  RequireLength("Cone", "height", height);
  RequireLengthOrZero("Cone", "radius_top", radius_top);
  if (radius == 0.0 && radius_top == 0.0) {
    throw InvalidInput("Cone: radius and radius_top are both 0; at least one must be positive");
  }
  return MakePrimitive(ConeShape{radius, height, radius_top});
}

Solid Capsule(double radius, double height) {
  RequireLength("Capsule", "radius", radius);
  RequireLengthOrZero("Capsule", "height", height);
  return MakePrimitive(CapsuleShape{radius, height});
}

Solid Torus(double major_radius, double minor_radius) {
  RequireLength("Torus", "major_radius", major_radius);
  RequireLength("Torus", "minor_radius", minor_radius);
  if (minor_radius > major_radius) {
    throw InvalidInput(
        fmt::format("Torus: minor_radius is {} m; it must not exceed major_radius, which is {} m",
                    minor_radius, major_radius));
  }
  return MakePrimitive(TorusShape{major_radius, minor_radius});
}

Solid Quadric(const QuadricMatrix& matrix) {
  QuadricShape shape;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      RequireFinite("Quadric", fmt::format("matrix entry ({}, {})", i, j), matrix(i, j));
      shape.matrix[i][j] = matrix(i, j);
    }
  }
  const double largest = matrix.cwiseAbs().maxCoeff();
  if (largest == 0.0) {
    throw InvalidInput("Quadric: all matrix entries are 0; at least one must not be");
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      if (std::abs(matrix(i, j) * 0.5 - matrix(j, i) * 0.5) <= kAsymmetry * largest) continue;
      throw InvalidInput(fmt::format(
          "Quadric: matrix entry ({}, {}) is {} but ({}, {}) is {}; the matrix must be symmetric",
          i, j, matrix(i, j), j, i, matrix(j, i)));
    }
  }
  return MakePrimitive(shape);
}

Solid PolynomialSolid(const std::vector<PolynomialTerm>& terms) {
  for (std::size_t n = 0; n < terms.size(); ++n) RequireTerm(n, terms[n]);
  PolynomialShape shape{terms};
  if (ExactPolynomial(shape).degree < 1) {
    throw InvalidInput(
        "PolynomialSolid: the sum of the terms is constant; its total degree must be "
        "1 to 4");
  }
  return MakePrimitive(std::move(shape));
}

VOLCONTACT_NAMESPACE_END
