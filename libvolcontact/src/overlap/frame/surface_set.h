// The surfaces that bound a region, exact to double-double: A ∩ B at one pose, or one solid.
//
// overlap/frame is what all methods share: the region's surfaces (here), the same in the scaled
// coordinates of a box (local_problem.h), and what comes out of integrating over it
// (raw_metrics.h).
#pragma once

#include <vector>

#include "math/rigid.h"
#include "overlap/frame/owner.h"
#include "solids/implicit/expression.h"
#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// The region's surfaces in double-double, in one frame (A's, or a shifted one), with their owners.
struct SurfaceSet {
  std::vector<SurfacePolynomial> surfaces;
  std::vector<Owner> owners;
  std::vector<SurfaceKind> kinds;
  Expression expression;
  /// Whether A and B share a surface; then what each of them asks for by itself, which is not to be
  /// told from the expression any more.
  bool has_common = false;
  Expression of_A = {}, of_B = {};

  /// Adds a surface, which no literal names yet, and returns its index.
  int Add(const SurfacePolynomial& psi, Owner owner, SurfaceKind kind = SurfaceKind::kPlane);
};

/// The surfaces of A ∩ B in frame A for the pose X_AB; surfaces common to A and B are merged.
/// `result` keeps its memory from call to call.
void OverlapSurfaces(const ImplicitSolid& A, const ImplicitSolid& B, const Expression& unmerged,
                     const Rigid& X_AB, SurfaceSet* result);

/// A ∩ B over the concatenated surfaces of A and B, before any merging.
Expression OverlapExpression(const ImplicitSolid& A, const ImplicitSolid& B);

/// The surfaces of one solid, owned by A.
SurfaceSet SingleSolid(const ImplicitSolid& A);

}  // namespace volcontact
