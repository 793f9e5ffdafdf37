#include "overlap/arcs/edges/shared_sheets.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Newton's steps to a surface; so often it is tried nearer to the edge, each time this much.
constexpr int kStepsToSheet = 3, kTriesNearer = 6;
constexpr double kNearer = 0.25;
// Such a place is on the surface to this part of what it was off it before, and has not moved by
// more than this part of its distance from the edge.
constexpr double kOffLess = 1e-3, kMovedAtMost = 0.5;

// A place on a surface, a step off the edge, or nearer where the surface does not go so far.
Vector3d PlaceBeside(const SharedEdge& edge, const LocalSurface& surface, const Vector3d& step) {
  Vector3d p, gradient;
  double part = 1.0;
  for (int n = 0; n <= kTriesNearer; ++n, part *= kNearer) {
    const Vector3d start = edge.middle.p + part * step;
    p = start;
    const double off = std::abs(EvaluateSurface(surface, p, &gradient));
    for (int k = 0; k < kStepsToSheet; ++k) {
      const double psi = EvaluateSurface(surface, p, &gradient);
      p -= psi / gradient.squaredNorm() * gradient;
    }
    const bool is_on = std::abs(EvaluateSurface(surface, p, &gradient)) <=
                       std::max(kOffLess * off, surface.rounding);
    if (is_on && (p - start).norm() <= kMovedAtMost * part * step.norm()) break;
  }
  return p;
}

// The region's presence below and above a sheet, a step off the edge.
std::array<bool, 2> PresenceBeside(const SharedEdge& edge, int surface, const Vector3d& step,
                                   std::vector<Truth>* states) {
  const std::vector<LocalSurface>& surfaces = edge.problem.surfaces;
  const Vector3d p = PlaceBeside(edge, surfaces[surface], step);
  Vector3d gradient;
  std::vector<Truth>& state = *states;
  for (const int s : edge.left.surfaces) {
    state[s] = ToTruth(EvaluateSurface(surfaces[s], edge.middle.p, &gradient) <= 0.0);
  }
  for (const int other : edge.sharing) {
    state[other] = ToTruth(!(EvaluateSurface(surfaces[other], p, &gradient) > 0.0));
  }
  std::array<bool, 2> presence;
  for (const int above : {0, 1}) {
    state[surface] = ToTruth(above == 0);
    presence[above] = edge.left.expression.Evaluate(state.data()) == Truth::kTrue;
  }
  for (const int s : edge.sharing) state[s] = Truth::kUnknown;
  for (const int s : edge.left.surfaces) state[s] = Truth::kUnknown;
  return presence;
}

}  // namespace

SheetSides SidesOfSheet(const SharedEdge& edge, int surface, std::vector<Truth>* states) {
  Vector3d normal;
  EvaluateSurface(edge.problem.surfaces[surface], edge.middle.p, &normal);
  const Vector3d step = edge.reach * normal.cross(edge.middle.derivative).normalized();
  return {PresenceBeside(edge, surface, step, states), PresenceBeside(edge, surface, -step, states),
          step};
}

EdgeSheets SheetsOfShared(const SharedEdge& edge, std::vector<Truth>* states) {
  EdgeSheets sheets;
  for (const int s : edge.sharing) {
    const SheetSides at = SidesOfSheet(edge, s, states);
    sheets.Add(s, at.left[0], at.left[1], at.right[0], at.right[1]);
  }
  return sheets;
}

bool AreOfBoth(const LocalProblem& problem, const std::vector<int>& surfaces) {
  bool has_A = false, has_B = false;
  for (const int s : surfaces) {
    has_A |= BelongsToA(problem.surfaces[s].owner);
    has_B |= BelongsToB(problem.surfaces[s].owner);
  }
  return has_A && has_B;
}

}  // namespace volcontact
