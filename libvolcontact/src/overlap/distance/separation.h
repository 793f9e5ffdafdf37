// The room `distance`: lower bounds of the distance of solids and of meshes.
//
// A lower bound of the distance between two solids.
#pragma once

#include "math/rigid.h"
#include "overlap/cells/operands/indexed_solid.h"
#include "overlap/distance/faces/nearest_pair.h"
#include "solids/implicit/implicit_solid.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A certified lower bound of the distance [m] between solids A and B with pose X_AB, with about
/// nearest points, in A's frame; bounds_a and bounds_b are boxes that contain them, each in its
/// solid's frame, possibly unbounded. Zero when they overlap or touch (or are nearer than 1e-12 of
/// their size); infinity when one of them is certified empty. If at most one solid is unbounded,
/// the bound is within 10 % of the true distance, unless the effort (some 60 ms) is spent. This
/// happens if both nearest points are on edges, and are much nearer to each other than the edges
/// are long. If both solids are unbounded, only parallel plane faces are compared, and the bound
/// may be zero.
///
/// By charts of faces (face_search.h); if these do not decide, by best-first branch and bound over
/// pairs of cells, one of a tree of cells on either solid. A pair is bounded by the gap of two
/// supporting planes along some direction u; the support of a cell's part of a solid follows from
/// linear models of its surfaces by duality, so that it is off by the square of the cell's size
/// only.
NearestPair SeparationBound(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                            const Aabb& bounds_b, const Rigid& X_AB);

/// The same for two solids of any size, at the cost of what they hold near each other.
NearestPair SeparationBound(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB);

/// Whether charts of faces prove that two bounded solids are apart. One of them must be convex, or
/// a union of connected primitives. False if they do not decide. Cost: 0.1 ms, or 1 ms without a
/// decision.
bool AreProvenApart(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB);

/// A bound as above for the boundary of A and the surface of a mesh, whatever one holds of the
/// other beyond.
NearestPair SurfaceSeparation(const IndexedSolid& A, const MeshTree& mesh, const Rigid& X_AM);

}  // namespace volcontact
