// Pairs of solids that are bounded by polynomial surfaces only.
#pragma once

#include <optional>

#include "overlap/closed_forms/closed_form.h"
#include "overlap/frame/local_problem.h"
#include "overlap/query/pair_solver.h"
#include "solids/implicit/expression.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// By closed form where there is one, else the polar method where both solids are convex, else, or
/// where that does not do, sums over edges, else columns; and voxels by name.
class ImplicitSolver final : public PairSolver {
 public:
  ImplicitSolver(const Solid& A, const Solid& B);

  RawAnswer Query(const Rigid& X_AB, const QueryOptions& options,
                  Workspace* workspace) const override;
  /// Where both solids are convex: the one there is.
  std::vector<RawAnswer> Patches(const Rigid& X_AB, const QueryOptions& options,
                                 Workspace* workspace) const override;
  std::vector<VolumeSample> Samples(const Rigid& X_AB, const QueryOptions& options,
                                    Workspace* workspace) const override;
  double DistanceBound(const Rigid& X_AB, Workspace* workspace) const override;
  OverlapProof ProveOverlap(const Rigid& X_AB, Workspace* workspace) const override;

 private:
  bool AreConvex() const { return A_.convex && B_.convex; }
  // A bounded box around A ∩ B in A, of which `set` holds the surfaces; or an exception.
  Aabb OverlapBox(const Rigid& X_AB, const SurfaceSet& set) const;
  // False when there is no formula, or the polar method does not do.
  bool QueryClosedForm(const Rigid& X_AB, RawAnswer* answer) const;
  bool QueryPolar(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                  RawAnswer* answer) const;
  void QueryOctree(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                   RawAnswer* answer) const;
  void QueryVoxels(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                   RawAnswer* answer) const;

  ImplicitSolid A_, B_;
  Aabb bounds_a_, bounds_b_;  // each in its solid's frame
  Expression unmerged_;
  std::optional<ClosedForm> closed_form_;
};

}  // namespace volcontact
