// Pairs of solids that are bounded by polynomial surfaces only.
#pragma once

#include <optional>
#include <span>

#include "overlap/arcs/crossing/boundary.h"
#include "overlap/cells/operands/indexed_solid.h"
#include "overlap/closed_forms/closed_form.h"
#include "overlap/distance/convex_cover.h"
#include "overlap/frame/local_problem.h"
#include "overlap/query/pair_solver.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// By closed form where there is one, else by sums over edges, and where these do not do by
/// columns; by columns and voxels also where they are asked for.
class ImplicitSolver final : public PairSolver {
 public:
  ImplicitSolver(const Solid& A, const Solid& B);

  const IndexedSolid& A() const { return A_; }
  const IndexedSolid& B() const { return B_; }

  RawAnswer Query(const Rigid& X_AB, const QueryOptions& options,
                  Workspace* workspace) const override;
  /// If both solids are convex, the only one; otherwise those that FindParts separates.
  void Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
               const TakeAnswer& take) const override;
  std::vector<std::optional<RawAnswer>> QuerySectors(const Rigid& X_AB, const Sectors& sectors,
                                                     const QueryOptions& options,
                                                     Workspace* workspace) const override;
  std::vector<VolumeSample> Samples(const Rigid& X_AB, const std::optional<SampleAxis>& axis_A,
                                    const QueryOptions& options,
                                    Workspace* workspace) const override;
  NearestPair Separate(const Rigid& X_AB, bool are_apart, Workspace* workspace) const override;
  OverlapProof ProveOverlap(const Rigid& X_AB, Workspace* workspace) const override;
  bool IsSeparationProven(const Rigid& X_AB, Workspace* workspace) const override;

 private:
  // A proof of one of both: a formula, a few cells, charts, or else the search.
  using OverlapTest = OverlapProof(const SurfaceSet& set, const LocalFrame& root, long max_cells);
  OverlapProof Prove(OverlapTest* search, const Rigid& X_AB, Workspace* workspace) const;
  bool AreConvex() const { return A_.whole().convex && B_.whole().convex; }
  // Puts A ∩ B into the workspace's set, in A; a bounded box around it, or an exception.
  Aabb FetchOverlap(const Rigid& X_AB, Workspace* workspace) const;
  // The edges that the boundaries of A and B give for the workspace's set, as it was fetched.
  std::span<const KnownEdges> FindKnownEdges(const Rigid& X_AB, Workspace* workspace) const;
  Aabb BoundOverlap(const Rigid& X_AB, const SurfaceSet& set, const Aabb& hint) const;
  // By the method, or the first that does.
  RawAnswer Integrate(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace) const;
  // Whether convex bodies around both prove that they are apart; false if they do not decide.
  bool AreCoversApart(const Rigid& X_AB) const;
  // False when there is no formula.
  bool QueryClosedForm(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                       RawAnswer* answer) const;
  // Takes the region of the workspace's set, in a box that contains it.
  void NarrowBracket(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer) const;
  void QueryVoxels(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                   RawAnswer* answer) const;

  IndexedSolid A_, B_;
  LazyBoundary boundary_A_, boundary_B_;
  ConvexCover cover_A_, cover_B_;
  std::optional<ClosedForm> closed_form_;
};

}  // namespace volcontact
