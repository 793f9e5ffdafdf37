#include "step/step_sides.h"

#include <cmath>

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
