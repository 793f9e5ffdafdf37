#include "overlap/arcs/facing.h"

#include <cmath>

#include "overlap/cells/cell_bounds.h"

namespace volcontact {
namespace {

// A surface that rises by no more than this part of its terms along the direction is a wall.
constexpr double kWallRise = 1e-10;
// Roundings of a derivative's coefficients, relative to their sum.
constexpr double kDerivativeRounding = 0x1p-50;

// How a literal's half-space or the like bounds a line along the direction.
enum class Bound { kNone, kAbove, kBelow, kUnknown };

Bound BoundBy(const LocalSurface& surface, bool is_outside, const Eigen::Vector3d& along) {
  if (surface.profile.side != 0) return Bound::kUnknown;
  LocalSurface rise;
  rise.psi = DerivativeAlong(surface.psi, along);
  double terms = 0.0, rises = 0.0;
  for (int m = 1; m < surface.psi.size(); ++m) terms += std::abs(surface.psi.c[m]);
  for (int m = 0; m < rise.psi.size(); ++m) rises += std::abs(rise.psi.c[m]);
  if (rises <= kWallRise * terms) return Bound::kNone;
  rise.rounding = kDerivativeRounding * terms;
  const Truth falls = Classify(Quadratize(rise, Cell()));
  if (falls == Truth::kUnknown) return Bound::kUnknown;
  // Where psi rises the inside of the surface is below it.
  return (falls == Truth::kTrue) == is_outside ? Bound::kAbove : Bound::kBelow;
}

}  // namespace

bool AreBodiesFacing(const LocalProblem& problem, const Eigen::Vector3d& direction) {
  const auto& nodes = problem.expression.nodes();
  const int root = problem.expression.Root();
  if (nodes[root].kind != Expression::Kind::kAnd) return false;
  const Eigen::Vector3d along = direction.cwiseQuotient(problem.frame.half).normalized();
  // Of all of A's faces, and of B's.
  Bound of_body[2] = {Bound::kNone, Bound::kNone};
  // Whether the literals below an operand belong to one body and bound lines on one side: then so
  // does whatever is made of them.
  const auto is_one_sided = [&](int operand) {
    Owner owner = Owner::kNone;
    for (int n = operand + 1 - nodes[operand].Size(); n <= operand; ++n) {
      if (nodes[n].kind != Expression::Kind::kLiteral) continue;
      const LocalSurface& surface = problem.surfaces[nodes[n].value];
      if (surface.owner == Owner::kNone || IsCommon(surface.owner)) return false;
      if (owner != Owner::kNone && owner != surface.owner) return false;
      owner = surface.owner;
      const Bound bound = BoundBy(surface, nodes[n].flag, along);
      if (bound == Bound::kUnknown) return false;
      Bound& of_all = of_body[BelongsToB(owner) ? 1 : 0];
      if (bound == Bound::kNone) continue;
      if (of_all != Bound::kNone && of_all != bound) return false;
      of_all = bound;
    }
    return true;
  };
  for (const int operand : Expression::ChildrenOf(nodes.data(), root)) {
    if (!is_one_sided(operand)) return false;
  }
  return of_body[0] != Bound::kNone && of_body[1] != Bound::kNone && of_body[0] != of_body[1];
}

}  // namespace volcontact
