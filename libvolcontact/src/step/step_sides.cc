#include "step/step_sides.h"

#include "math/pose_of_rotation.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// ρ <= r(z) = radius + minor z.
Solid Nappe(const StepFace& face) {
  const double a = face.radius, b = face.minor;
  QuadricMatrix Q = QuadricMatrix::Zero();
  Q(0, 0) = Q(1, 1) = 1.0;
  Q(2, 2) = -b * b;
  Q(2, 3) = Q(3, 2) = -a * b;
  Q(3, 3) = -a * a;
  const Solid above = PolynomialSolid({{-b, {0, 0, 1}}, {-a, {0, 0, 0}}});
  return Intersection({Quadric(Q), above});
}

Solid InOwnFrame(const StepFace& face) {
  switch (face.surface) {
    case StepSurface::kCylinder:
      return InfiniteCylinder(face.radius);
    case StepSurface::kSphere:
      return Sphere(face.radius);
    case StepSurface::kTorus:
      return Torus(face.radius, face.minor);
    case StepSurface::kCone:
      return Nappe(face);
    default:
      return HalfSpace();
  }
}

}  // namespace

Solid SideOf(const StepFace& surface, bool inside) {
  const Solid side = InOwnFrame(surface).Posed(PoseOfRotation(surface.axes, surface.origin));
  return inside ? side : Complement(side);
}

}  // namespace volcontact
