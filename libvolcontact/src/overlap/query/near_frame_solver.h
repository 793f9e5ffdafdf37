// Pairs that are far apart beside the size of one of them.
#pragma once

#include <vector>

#include "overlap/query/implicit_solver.h"

namespace volcontact {

/// Answers in B's frame where A's origin is so far off that a polynomial of degree four of B has no
/// digits left in A's frame: a ring on a ball of the size of the earth. As ImplicitSolver else.
class NearFrameSolver final : public PairSolver {
 public:
  /// Whether B, bounded, has such polynomials, and A reaches that far.
  static bool Applies(const IndexedSolid& A, const IndexedSolid& B);

  NearFrameSolver(const Solid& A, const Solid& B);

  RawAnswer Query(const Rigid& X_AB, const QueryOptions& options,
                  Workspace* workspace) const override;
  void Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
               const TakeAnswer& take) const override;
  std::vector<VolumeSample> Samples(const Rigid& X_AB, const std::optional<SampleAxis>& axis_A,
                                    const QueryOptions& options,
                                    Workspace* workspace) const override;
  NearestPair Separate(const Rigid& X_AB, bool are_apart, Workspace* workspace) const override;
  OverlapProof ProveOverlap(const Rigid& X_AB, Workspace* workspace) const override;
  bool IsSeparationProven(const Rigid& X_AB, Workspace* workspace) const override;

 private:
  bool IsFar(const Rigid& X_AB) const;

  ImplicitSolver in_A_, in_B_;
};

}  // namespace volcontact
