// Solids grown on all sides, to prove a distance as one proves that solids do not overlap.
//
// Walls that run along each other at a small distance take very many pairs of cells, but few cells
// where both are looked at together: so their distance is proved by another way.
#pragma once

#include <optional>

#include "math/rigid.h"
#include "solids/implicit/implicit_solid.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A solid that contains all points no farther than `distance` from S, to 1e-12 of it: by surfaces
/// parallel to those of S, so that it reaches farther beyond edges that stand out. Nothing where S
/// has other surfaces than planes, spheres, circular cylinders and cones, and tori, or one of them
/// is not left.
std::optional<ImplicitSolid> Inflated(const ImplicitSolid& S, double distance);

/// Certified lower bounds of the distance of solids within finite boxes, B at X_AB, by inflating
/// either, or of a solid and the surface of a mesh at X_AM, by inflating the solid: at most 0.95 of
/// an upper bound `most` [m], 0 where nothing is proved. Roundings of coordinates are not covered.
/// Some 50 µs where that much is proved, a few milliseconds elsewhere; with a mesh some µs for each
/// face that is about as near.
double ProvenDistance(double most, const ImplicitSolid& A, const Aabb& bounds_a,
                      const ImplicitSolid& B, const Aabb& bounds_b, const Rigid& X_AB);
double ProvenDistance(double most, const ImplicitSolid& A, const Aabb& bounds_a,
                      const MeshTree& mesh, const Rigid& X_AM);

}  // namespace volcontact
