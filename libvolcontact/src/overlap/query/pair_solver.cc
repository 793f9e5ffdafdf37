#include "overlap/query/pair_solver.h"

#include "overlap/query/implicit_solver.h"
#include "overlap/query/mixed_solver.h"
#include "overlap/query/near_frame_solver.h"
#include "overlap/query/polyhedral_solver.h"

namespace volcontact {

std::unique_ptr<const PairSolver> MakePairSolver(const Solid& A, const Solid& B) {
  if (PolyhedralSolver::Applies(A, B)) return std::make_unique<const PolyhedralSolver>(A, B);
  if (MixedOverlap::Applies(A, B)) return std::make_unique<const MixedSolver>(A, B);
  auto solver = std::make_unique<const ImplicitSolver>(A, B);
  if (NearFrameSolver::Applies(solver->A(), solver->B())) {
    return std::make_unique<const NearFrameSolver>(A, B);
  }
  return solver;
}

OverlapProof ProofFrom(double volume_lower, double volume_upper) {
  if (volume_lower > 0.0) return OverlapProof::kOverlap;
  return volume_upper > 0.0 ? OverlapProof::kUndecided : OverlapProof::kSeparated;
}

}  // namespace volcontact
