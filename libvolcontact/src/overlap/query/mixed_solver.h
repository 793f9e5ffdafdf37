// Pairs with triangle meshes among their leaves, beside curved primitives.
#pragma once

#include <memory>
#include <vector>

#include "overlap/distance/parts_distance.h"
#include "overlap/mixed/mixed_overlap.h"
#include "overlap/query/implicit_solver.h"
#include "overlap/query/pair_solver.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Method::kBoundary, kColumns and kAuto apply. Meshes with few planes are also known as
/// combinations of half-spaces. These answer where planes of both bodies lie on each other, or
/// where sums over a mesh's arcs do not do.
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
  NearestPair Separate(const Rigid& X_AB, bool are_apart, Workspace* workspace) const override;
  OverlapProof ProveOverlap(const Rigid& X_AB, Workspace* workspace) const override;

 private:
  Aabb OverlapBox(const Rigid& X_AB) const;
  RawAnswer Integrate(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace) const;
  // Whether planes of both bodies lie on each other, but for roundings.
  bool AreFlush(const Rigid& X_AB) const;
  // Whether that is proved by a distance.
  bool AreApart(const Rigid& X_AB) const;

  MixedOverlap overlap_;
  std::unique_ptr<const ImplicitSolver> by_half_spaces_;  // null where a mesh has many planes
  bool has_several_terms_ = false;                        // in the sums over arcs
  bool are_in_both_ = false;                              // the meshes
  PartsDistance distance_;
  Aabb bounds_a_, bounds_b_;  // each in its solid's frame
};

}  // namespace volcontact
