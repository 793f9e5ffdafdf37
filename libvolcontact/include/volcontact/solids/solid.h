// Solids: immutable values that denote exact point sets.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "volcontact/export.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

struct SolidNode;

/// Where a point lies with respect to a solid.
enum class Membership { kInside, kBoundary, kOutside };

/// A solid: a primitive bounded by polynomial surfaces, or a boolean combination of solids, in its
/// own frame. Made by the functions of primitives.h, csg.h and triangle_mesh.h; a
/// default-constructed solid is empty.
///
/// Threads and memory: a value, and immutable. Any number of threads may read one solid, and copy
/// it; a copy is a pointer to the same tree. A node of the tree takes some 200 bytes, a mesh
/// about 160 a triangle.
///
/// The solid is the exact point set its numbers denote as doubles: radii, poses (with exactly
/// normalised quaternions) and coefficients are not rounded again. Sets are regularised: parts
/// without volume (a shared face, a tangent point) do not count.
class VOLCONTACT_EXPORT Solid {
 public:
  Solid();
  explicit Solid(std::shared_ptr<const SolidNode> node);

  /// The same solid moved: frame S of this solid gets pose X_PS in the new solid's frame P.
  /// Throws InvalidInput for an invalid pose or a translation beyond 1e30 m.
  Solid Posed(const Pose& X_PS) const;

  /// Exact membership of a point p [m] in the solid's frame. Throws InvalidInput if p is not
  /// finite. A floating-point filter with a proven bound decides in most cases, and rational
  /// arithmetic in the others. kBoundary means that surfaces which pass exactly through p leave the
  /// answer open. Points on a face where two parts of a union meet are inside. Cost: 0.1 to 0.3 µs
  /// for a primitive, 10 µs and more for a point within rounding of a surface.
  Membership Locate(const Eigen::Vector3d& p) const;

  /// A box that contains the solid, in the solid's frame, rounded outwards; infinite where the
  /// solid is unbounded or no bound is known. Tight to rounding for primitives; combinations
  /// combine boxes.
  Aabb Bounds() const;

  /// True when the solid is convex by construction: convex primitives (quadrics and quadratic
  /// polynomials by an exact test), their intersections, and differences with half-spaces.
  bool IsConvex() const;

  const SolidNode& node() const { return *node_; }

 private:
  std::shared_ptr<const SolidNode> node_;
};

VOLCONTACT_NAMESPACE_END
