// Pairs with triangle meshes among their leaves, beside curved primitives.
#pragma once

#include <vector>

#include "overlap/distance/parts_distance.h"
#include "overlap/mixed/mixed_overlap.h"
#include "overlap/query/pair_solver.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Method::kBoundary, kColumns and kAuto apply.
class MixedSolver final : public PairSolver {
 public:
  /// Throws InvalidInput for more meshes than MixedOverlap takes.
  MixedSolver(const Solid& A, const Solid& B);

  RawAnswer Query(const Rigid& X_AB, const QueryOptions& options,
                  Workspace* workspace) const override;
  void Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
               const TakeAnswer& take) const override;
  std::vector<VolumeSample> Samples(const Rigid& X_AB, const std::optional<SampleAxis>& axis_A,
                                    const QueryOptions& options,
                                    Workspace* workspace) const override;
  NearestPair Separate(const Rigid& X_AB, Workspace* workspace) const override;
  OverlapProof ProveOverlap(const Rigid& X_AB, Workspace* workspace) const override;

 private:
  Aabb OverlapBox(const Rigid& X_AB) const;
  // Whether that is proved by a distance.
  bool AreApart(const Rigid& X_AB) const;

  MixedOverlap overlap_;
  PartsDistance distance_;
  Aabb bounds_a_, bounds_b_;  // each in its solid's frame
};

}  // namespace volcontact
