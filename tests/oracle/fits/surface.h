// Surfaces, and what a straight ray sees of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "real.h"

namespace fits {

// x(t) = start + t along, with the volume element (j1 t + j2 t^2) dt du dv.
struct Ray {
  Vec start, along;
  Real j1 = 0, j2 = 0;
};

// c[0] + c[1] t + ... along a ray.
using Coefficients = std::array<Real, 5>;

// The points where a polynomial is not positive.
class Surface {
 public:
  virtual ~Surface() = default;
  virtual Coefficients Along(const Ray& ray) const = 0;
  virtual Vec Gradient(Vec x) const = 0;
};
using SurfacePtr = std::shared_ptr<const Surface>;

// d0 x^2 + d1 y^2 + d2 z^2 + linear z + constant <= 0 in a frame.
SurfacePtr Quadric(const Pose& pose, Vec diagonal, Real linear, Real constant);
SurfacePtr InSphere(const Pose& pose, Real radius);
SurfacePtr InEllipsoid(const Pose& pose, Vec semi_axes);
SurfacePtr InCylinder(const Pose& pose, Real radius);
// Radius + slope z, both nappes.
SurfacePtr InCone(const Pose& pose, Real radius, Real slope);
// z <= height in a frame.
SurfacePtr Below(const Pose& pose, Real height);
// normal . x <= height in a frame.
SurfacePtr Under(const Pose& pose, Vec normal, Real height);
SurfacePtr InTorus(const Pose& pose, Real major, Real minor);
// The complement.
SurfacePtr Outside(SurfacePtr surface);

// Real roots of the polynomial in (low, high), in order.
std::vector<Real> RootsBetween(const Coefficients& c, Real low, Real high);

}  // namespace fits
