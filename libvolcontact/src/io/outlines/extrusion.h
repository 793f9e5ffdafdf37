// Solids from outlines: pulled along a line, and turned about one.
#pragma once

#include "io/outlines/algebraic_solids.h"
#include "io/outlines/outline.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// How an outline is pulled along z, from z = base to z = base + height [m].
struct Extrusion {
  double height = 1.0;
  double base = 0.0;
  double scale = 1.0;  ///< of the outline at the top, about the origin; not negative
};

/// The image of the pulled outline: planes, cylinders, cones and, of large polygons, closed meshes.
/// Throws InvalidInput, without a place, where the outline is empty or too large.
Solid Extruded(const Outline& outline, const Extrusion& extrusion, const SolidMap& map);

/// A turn in equal steps, as of a polygon instead of a circle: `count` of them, the first from the
/// angle `start` [rad]; 0: no steps.
struct Facets {
  int count = 0;
  double start = 0.0;
};

/// The unit vector at i of n equal parts of a turn from the x axis, along an axis to the last bit.
Eigen::Vector2d FacetDirection(int i, int n);

/// The image of the part x >= 0 of the outline turned about its y axis, which becomes z, from the
/// x axis by `angle` [rad], 0 < |angle| <= 2π: planes, cylinders, cones, spheres, tori and, of
/// ellipses with an axis along z, quartics. Throws InvalidInput, without a place, for other
/// ellipses and where the outline is empty there. In steps only planes: throws for circles, and for
/// steps of half a turn.
Solid Revolved(const Outline& outline, double angle, const SolidMap& map,
               const Facets& facets = {});

}  // namespace volcontact
