#include "io/json/json_primitives.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "volcontact/solids/primitives.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

Solid ReadSphere(const JsonCursor& at) {
  at.ExpectObject({"radius"});
  const double radius = at.Member("radius").Length();
  return MakeAt(at, [&] { return Sphere(radius); });
}

Solid ReadEllipsoid(const JsonCursor& at) {
  at.ExpectObject({"semi_axes"});
  const Eigen::Vector3d semi_axes = at.Member("semi_axes").Lengths3();
  return MakeAt(at, [&] { return Ellipsoid(semi_axes); });
}

Solid ReadBox(const JsonCursor& at) {
  at.ExpectObject({"size"});
  const Eigen::Vector3d size = at.Member("size").Lengths3();
  return MakeAt(at, [&] { return Box(size); });
}

Solid ReadCylinder(const JsonCursor& at) {
  at.ExpectObject({"radius", "height"});
  const double radius = at.Member("radius").Length();
  const auto height = at.Find("height");
  if (!height) return MakeAt(at, [&] { return InfiniteCylinder(radius); });
  const double length = height->Length();
  return MakeAt(at, [&] { return Cylinder(radius, length); });
}

Solid ReadCone(const JsonCursor& at) {
  at.ExpectObject({"radius", "height", "radius_top"});
  const double radius = at.Member("radius").Length();
  const double height = at.Member("height").Length();
  const auto top = at.Find("radius_top");
  const double radius_top = top ? top->Length() : 0.0;
  return MakeAt(at, [&] { return Cone(radius, height, radius_top); });
}

Solid ReadCapsule(const JsonCursor& at) {
  at.ExpectObject({"radius", "height"});
  const double radius = at.Member("radius").Length();
  const double height = at.Member("height").Length();
  return MakeAt(at, [&] { return Capsule(radius, height); });
}

Solid ReadTorus(const JsonCursor& at) {
  at.ExpectObject({"major_radius", "minor_radius"});
  const double major_radius = at.Member("major_radius").Length();
  const double minor_radius = at.Member("minor_radius").Length();
  return MakeAt(at, [&] { return Torus(major_radius, minor_radius); });
}

Solid ReadHalfSpace(const JsonCursor& at) {
  at.ExpectObject({});
  return HalfSpace();
}

Solid ReadSlab(const JsonCursor& at) {
  at.ExpectObject({"thickness"});
  const double thickness = at.Member("thickness").Length();
  return MakeAt(at, [&] { return Slab(thickness); });
}

Eigen::Matrix4d ReadMatrix(const JsonCursor& at) {
  Eigen::Matrix4d matrix;
  at.ExpectArray(4, "rows");
  for (int i = 0; i < 4; ++i) {
    const JsonCursor row = at.Item(i);
    row.ExpectArray(4, "numbers");
    for (int j = 0; j < 4; ++j) matrix(i, j) = row.Item(j).Number();
  }
  return matrix;
}

// With lengths in units of n/d metres, x = (d/n) x_m. The form is multiplied by n², which leaves
// its sign alone: the factors d², n d and n² are integers and round short coefficients not at all.
Solid ReadQuadric(const JsonCursor& at) {
  at.ExpectObject({"matrix"});
  const Eigen::Matrix4d matrix = ReadMatrix(at.Member("matrix"));
  // First as given, so that complaints show the file's numbers.
  Solid solid = MakeAt(at, [&] { return Quadric(matrix); });
  const LengthUnit unit = at.unit();
  if (unit.IsMetre()) return solid;
  const Eigen::Vector4d scale(unit.denominator, unit.denominator, unit.denominator, unit.numerator);
  return MakeAt(at, [&] { return Quadric(scale.asDiagonal() * matrix * scale.asDiagonal()); });
}

PolynomialTerm ReadTerm(const JsonCursor& at) {
  at.ExpectObject({"c", "e"});
  PolynomialTerm term;
  term.coefficient = at.Member("c").Number();
  const JsonCursor exponents = at.Member("e");
  exponents.ExpectArray(3, "exponents");
  for (int i = 0; i < 3; ++i) term.exponents[i] = exponents.Item(i).Integer();
  return term;
}

int Degree(const PolynomialTerm& term) {
  return term.exponents[0] + term.exponents[1] + term.exponents[2];
}

// As for the quadric: a term of degree k of a polynomial of degree m is multiplied by d^k n^(m−k).
Solid ReadPolynomial(const JsonCursor& at) {
  at.ExpectObject({"terms"});
  const JsonCursor list = at.Member("terms");
  std::vector<PolynomialTerm> terms(list.ExpectNonEmptyArray("terms"));
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = ReadTerm(list.Item(i));
  // First as given: exponents out of range have no meaningful scale.
  Solid solid = MakeAt(at, [&] { return PolynomialSolid(terms); });
  const LengthUnit unit = at.unit();
  if (unit.IsMetre()) return solid;
  int degree = 0;
  for (const PolynomialTerm& term : terms) degree = std::max(degree, Degree(term));
  for (PolynomialTerm& term : terms) {
    term.coefficient *=
        std::pow(unit.denominator, Degree(term)) * std::pow(unit.numerator, degree - Degree(term));
  }
  return MakeAt(at, [&] { return PolynomialSolid(terms); });
}

constexpr ShapeKey kPrimitives[] = {
    {"sphere", ReadSphere},
    {"ellipsoid", ReadEllipsoid},
    {"box", ReadBox},
    {"cylinder", ReadCylinder},
    {"cone", ReadCone},
    {"capsule", ReadCapsule},
    {"torus", ReadTorus},
    {"half_space", ReadHalfSpace},
    {"slab", ReadSlab},
    {"quadric", ReadQuadric},
    {"polynomial", ReadPolynomial},
};

}  // namespace

std::span<const ShapeKey> PrimitiveKeys() { return kPrimitives; }

VOLCONTACT_NAMESPACE_END
