// A lower bound of the distance of two solids by charts of their faces.
#pragma once

#include "math/rigid.h"
#include "overlap/distance/faces/nearest_pair.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A lower bound of the distance of two solids at X_AB within finite boxes, with the nearest points
/// that were found, in A's frame, and whether the solids are known to be apart. Their surfaces are
/// planes, quadrics and tori; other surfaces, and parts of many surfaces, soon give no answer. A
/// gap of at most `resolution` [m] counts as zero. The bound is certified but for roundings of
/// coordinates. It is within 10 % unless both nearest points are on convex edges. Cost: 20 to 500
/// µs, and some milliseconds if the search does not decide.
NearestPair SeparateByCharts(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                             const Aabb& bounds_b, const Rigid& X_AB, double resolution);

/// Whether charts of the faces of one solid prove that two such solids are apart by more than
/// `resolution` [m] but for roundings of coordinates, where the other one is convex, or a union of
/// connected primitives. Cost: 20 to 200 µs, 1 ms if they do not decide.
bool AreApartByCharts(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                      const Aabb& bounds_b, const Rigid& X_AB, double resolution);

}  // namespace volcontact
