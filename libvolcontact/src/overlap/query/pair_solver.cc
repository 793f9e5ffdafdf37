#include "overlap/query/pair_solver.h"

#include <fmt/format.h>

#include <variant>

#include "overlap/query/implicit_solver.h"
#include "overlap/query/mixed_solver.h"
#include "overlap/query/near_frame_solver.h"
#include "overlap/query/polyhedral_solver.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// A torus farther from the origin than this, beside its size, has a polynomial of which rounding
// leaves too little: it loses digits with the fourth power of the ratio.
constexpr double kFarTorus = 1e5;

// `X_SP`: the pose in the whole solid of what holds this one.
void RequireToriNear(const Solid& solid, const Rigid& X_SP) {
  Rigid X = X_SP;
  for (const Pose& pose : solid.node().poses) X = X * Rigid(pose);
  if (const auto* boolean = std::get_if<BooleanShape>(&solid.node().shape)) {
    for (const Solid& child : boolean->children) RequireToriNear(child, X);
  }
  const auto* torus = std::get_if<TorusShape>(&solid.node().shape);
  if (torus == nullptr) return;
  const double distance = Round(X.t).norm();
  if (distance <= kFarTorus * torus->major_radius) return;
  throw InvalidInput(fmt::format(
      "torus: it lies {:.3g} m from the origin of its solid, more than {:.0e} times its major "
      "radius of {:.3g} m; move it near the origin, and give the whole solid a pose",
      distance, kFarTorus, torus->major_radius));
}

}  // namespace

std::unique_ptr<const PairSolver> MakePairSolver(const Solid& A, const Solid& B) {
  if (PolyhedralSolver::Applies(A, B)) return std::make_unique<const PolyhedralSolver>(A, B);
  RequireToriNear(A, Rigid());
  RequireToriNear(B, Rigid());
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
