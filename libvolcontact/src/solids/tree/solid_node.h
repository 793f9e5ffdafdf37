// The room `tree`: the solid as a value. Shapes with their validated parameters, boolean
// combinations and poses; no surfaces, and no questions answered.
#pragma once

#include <array>
#include <memory>
#include <variant>
#include <vector>

#include "volcontact/math/pose.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

class MeshDeviation;
class MeshTree;

// Primitives, by their validated parameters (see primitives.h for their meaning).
struct HalfSpaceShape {};
struct SlabShape {
  double thickness;
};
struct SphereShape {
  double radius;
};
struct EllipsoidShape {
  std::array<double, 3> semi_axes;
};
struct BoxShape {
  std::array<double, 3> size;
};
struct CylinderShape {
  double radius;
  double height;  // infinity for the infinite cylinder
};
struct ConeShape {
  double radius, height, radius_top;
};
struct CapsuleShape {
  double radius, height;
};
struct TorusShape {
  double major_radius, minor_radius;
};
struct QuadricShape {
  std::array<std::array<double, 4>, 4> matrix;
};
struct PolynomialShape {
  std::vector<PolynomialTerm> terms;
};

/// A validated closed triangle mesh.
struct MeshShape {
  std::shared_ptr<const MeshTree> mesh;
  std::shared_ptr<const MeshDeviation> deviation = {};  // null where the mesh is meant as it is
  // What the mesh was joined from; its own vertices are rounded. Null for all others.
  std::shared_ptr<const Solid> parts = {};
};

/// A boolean combination. kDifference: the first child less all others; kComplement: one child. An
/// empty kUnion is the empty solid.
struct BooleanShape {
  enum class Kind { kUnion, kIntersection, kDifference, kComplement };
  Kind kind;
  std::vector<Solid> children;
};

using Shape = std::variant<HalfSpaceShape, SlabShape, SphereShape, EllipsoidShape, BoxShape,
                           CylinderShape, ConeShape, CapsuleShape, TorusShape, QuadricShape,
                           PolynomialShape, MeshShape, BooleanShape>;

/// A shape in frame S with its pose in the solid's frame P. `poses` lists X_P1, X_12, …, X_nS from
/// the outside in: several calls of Solid::Posed are kept, not multiplied, so that nothing is
/// rounded.
struct SolidNode {
  Shape shape;
  std::vector<Pose> poses;
};

/// The solid in many poses, listed from the outside in: as Solid::Posed by one after the other, in
/// one step, and throws as that does.
Solid PosedByAll(const Solid& solid, const std::vector<Pose>& poses);

VOLCONTACT_NAMESPACE_END
