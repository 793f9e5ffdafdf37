#include "step/csg/step_sides.h"

#include <array>
#include <cmath>
#include <vector>

#include "math/arithmetic/double_double.h"
#include "math/pose_of_rotation.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// ρ <= r(z) = radius + minor z, about the apex: so it has one in its numbers, too.
Solid Nappe(const StepFace& face) {
  QuadricMatrix Q = QuadricMatrix::Zero();
  Q(0, 0) = Q(1, 1) = 1.0;
  Q(2, 2) = -face.minor * face.minor;
  const Solid above = PolynomialSolid({{-face.minor, {0, 0, 1}}});
  return Intersection({Quadric(Q), above})
      .Posed(Pose{Eigen::Vector3d(0.0, 0.0, -face.radius / face.minor)});
}

// Coefficients that a double has not all digits of are two terms: the polynomial is that of a torus
// to more digits than doubles have.
void AddTerm(const DoubleDouble& coefficient, const std::array<int, 3>& exponents,
             std::vector<PolynomialTerm>* terms) {
  terms->push_back({coefficient.hi, exponents});
  if (coefficient.lo != 0.0) terms->push_back({coefficient.lo, exponents});
}

// One sheet of a torus that crosses its axis. Its polynomial is negative between the sheets; the
// ball through the two points where they meet holds the inner one, and is within the outer one.
Solid Sheet(const StepFace& face) {
  const DoubleDouble R(face.radius), r(face.minor), level = (R - r) * (R + r), RR4 = 4.0 * R * R;
  std::vector<PolynomialTerm> ball, between;  // |p|² + level; (|p|² + level)² − 4 R² (x² + y²)
  for (int i = 0; i < 3; ++i) {
    std::array<int, 3> square = {}, fourth = {}, product = {2, 2, 2};
    square[i] = 2;
    fourth[i] = 4;
    product[i] = 0;
    AddTerm(1.0, square, &ball);
    AddTerm(1.0, fourth, &between);
    AddTerm(2.0, product, &between);
    AddTerm(i < 2 ? 2.0 * level - RR4 : 2.0 * level, square, &between);
  }
  AddTerm(level, {0, 0, 0}, &ball);
  AddTerm(level * level, {0, 0, 0}, &between);
  const Solid inner = PolynomialSolid(ball), outer = PolynomialSolid(between);
  return face.radius > 0.0 ? Union({inner, outer}) : Difference(inner, {outer});
}

Solid GeneralQuadric(const StepFace& face) {
  QuadricMatrix Q = QuadricMatrix::Zero();
  Q.diagonal() << face.quadric.head<3>(), face.quadric[4];
  Q(2, 3) = Q(3, 2) = 0.5 * face.quadric[3];
  return Quadric(Q);
}

Solid InOwnFrame(const StepFace& face) {
  switch (face.surface) {
    case StepSurface::kCylinder:
      return InfiniteCylinder(face.radius);
    case StepSurface::kSphere:
      return Sphere(face.radius);
    case StepSurface::kTorus:
      return face.minor > face.radius ? Sheet(face) : Torus(face.radius, face.minor);
    case StepSurface::kCone:
      return Nappe(face);
    case StepSurface::kQuadric:
      return GeneralQuadric(face);
    default:
      return HalfSpace();
  }
}

}  // namespace

Solid SideOf(const StepFace& surface, bool inside) {
  const Solid side = InOwnFrame(surface).Posed(PoseOfRotation(surface.axes, surface.origin));
  return inside ? side : Complement(side);
}

bool HasOffset(const StepFace& face) {
  return face.surface != StepSurface::kQuadric && face.surface != StepSurface::kOther;
}

StepFace OffsetOf(StepFace face, double distance) {
  if (face.surface == StepSurface::kPlane) {
    face.origin += distance * face.axes.col(2);
  } else if (face.surface == StepSurface::kTorus) {
    face.minor += distance;
  } else {
    const bool is_cone = face.surface == StepSurface::kCone;
    face.radius += is_cone ? distance * std::hypot(1.0, face.minor) : distance;
  }
  return face;
}

StepFace OffMaterial(const StepFace& face, double distance) {
  return OffsetOf(face, face.inside ? distance : -distance);
}

Solid VoidBeyond(const StepFace& face, double distance) {
  return SideOf(OffMaterial(face, distance), !face.inside);
}

}  // namespace volcontact
