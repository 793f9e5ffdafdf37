// Fetches the surfaces near an overlap.
#pragma once

#include "math/rigid.h"
#include "overlap/cells/locate.h"
#include "overlap/cells/operands/indexed_solid.h"
#include "overlap/frame/surface_set.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Fetches the surfaces of A ∩ B at one pose from the indices of A and B: those near the overlap,
/// at a cost that does not depend on what the solids hold elsewhere.
class OverlapFetcher {
 public:
  /// `set` holds A ∩ B, in A's frame; `box`, which is not tight, contains it where it is bounded.
  /// Where surfaces were left out the set is bounded by an ellipsoid, of no owner, that clears the
  /// box: within it the expression is that of A ∩ B, and beyond it there is nothing of it.
  void Run(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB, SurfaceSet* set,
           Aabb* box);

  /// What the last run took of A and of B: the first surfaces of the set are those of A's part, the
  /// next those of B's.
  const IndexedSolid::Part& part_a() const { return part_a_; }
  const IndexedSolid::Part& part_b() const { return part_b_; }

 private:
  bool FetchParts(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB, const Aabb& box,
                  int max_literals);
  void Merge(const Rigid& X_AB, SurfaceSet* set);
  bool Tighten(SurfaceSet* set, Aabb* box);

  // Scratch memory, kept from run to run.
  IndexedSolid::Part part_a_, part_b_;
  Expression unmerged_;
  const Expression fence_ = Expression::Below(0);
  Locator locator_;
  LocalProblem problem_;
};

}  // namespace volcontact
