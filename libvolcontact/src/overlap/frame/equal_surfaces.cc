#include "overlap/frame/equal_surfaces.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "math/time_limit.h"
#include "overlap/frame/face_shares.h"

namespace volcontact {
namespace {

// Coefficients of one surface, got by two poses, differ by no more than that in a cube of the size
// of the part.
constexpr double kPoseRounding = 2e-14;

double LargestCoefficient(const LocalSurface& surface) {
  double largest = 0.0;
  for (int m = 0; m < surface.psi.size(); ++m)
    largest = std::max(largest, std::abs(surface.psi.c[m]));
  return largest;
}

// The largest difference of the coefficients, relative to the largest one, and whether one psi is
// minus the other.
std::pair<double, bool> Compare(const LocalSurface& f, const LocalSurface& g) {
  double same = 0.0, opposite = 0.0;
  const double f_unit = 1.0 / LargestCoefficient(f), g_unit = 1.0 / LargestCoefficient(g);
  for (int m = 0; m < f.psi.size(); ++m) {
    const double u = f_unit * f.psi.c[m], v = g_unit * g.psi.c[m];
    same = std::max(same, std::abs(u - v));
    opposite = std::max(opposite, std::abs(u + v));
  }
  return {std::min(same, opposite), opposite < same};
}

}  // namespace

double MergeEqualSurfaces(double coincidence, LocalProblem* problem) {
  coincidence = std::max(coincidence, kPoseRounding);
  std::vector<LocalSurface>& surfaces = problem->surfaces;
  // Equal surfaces have equal constant terms, and are neighbours by them.
  thread_local std::vector<std::pair<double, int>> order;
  thread_local std::vector<int> present, labels;
  thread_local std::vector<bool> flip;
  thread_local std::vector<LiteralSides> sides;
  order.clear();
  problem->expression.FindSurfaces(&present);
  for (const int s : present) {
    order.emplace_back(std::abs(surfaces[s].psi.c[kOne]) / LargestCoefficient(surfaces[s]), s);
  }
  std::sort(order.begin(), order.end());
  labels.resize(surfaces.size());
  for (std::size_t s = 0; s < labels.size(); ++s) labels[s] = static_cast<int>(s);
  flip.assign(surfaces.size(), false);
  sides.clear();
  // Joins what two equal surfaces are asked for, and whose they are.
  const auto join = [&](int kept, int equal, bool opposite) {
    if (sides.empty()) FindSides(problem->expression, static_cast<int>(surfaces.size()), &sides);
    const LiteralSides first = sides[kept];
    const LiteralSides second = opposite ? sides[equal].Flipped() : sides[equal];
    const Owner other = opposite ? Flipped(surfaces[equal].owner) : surfaces[equal].owner;
    sides[kept] = {first.below || second.below, first.above || second.above};
    surfaces[kept].owner = Joint(Facing(surfaces[kept].owner, first.below, first.above),
                                 Facing(other, second.below, second.above));
  };
  double moved = 0.0;
  bool merged = false;
  for (std::size_t n = 0; n < order.size(); ++n) {
    TimeLimit::Enforce();
    const int s = order[n].second;
    for (std::size_t k = n; k-- > 0 && order[n].first - order[k].first <= coincidence;) {
      const int other = order[k].second;
      if (labels[other] != other || surfaces[s].psi.degree != surfaces[other].psi.degree) continue;
      const auto [difference, opposite] = Compare(surfaces[other], surfaces[s]);
      const bool one_body = !IsCommon(Joint(surfaces[s].owner, surfaces[other].owner));
      if (!(difference <= (one_body ? coincidence : kPoseRounding))) continue;
      labels[s] = other;
      flip[s] = opposite;
      merged = true;
      moved += difference;
      surfaces[other].rounding += surfaces[other].psi.size() * difference;
      join(other, s, opposite);
      break;
    }
  }
  if (merged) {
    problem->expression.Relabel(labels, flip);
    problem->expression.Simplify();
    problem->labels = labels;
    problem->flip = flip;
  }
  return moved;
}

bool MergeWithinRounding(const LocalFrame& frame, LocalProblem* problem, SurfaceSet* set) {
  Localize(*set, frame, problem);
  MergeEqualSurfaces(0.0, problem);
  const std::vector<int>& labels = problem->labels;
  bool is_shared = false;
  for (std::size_t s = 0; s < labels.size(); ++s)
    is_shared |= IsCommon(Joint(set->owners[s], set->owners[labels[s]]));
  if (!is_shared) return false;
  const OwnExpressions own = OwnExpressionsOf(*set);
  set->of_A = own.of_A;
  set->of_B = own.of_B;
  for (Expression* expression : {&set->of_A, &set->of_B})
    expression->Relabel(labels, problem->flip);
  set->expression = problem->expression;
  set->has_common = true;
  for (std::size_t s = 0; s < labels.size(); ++s) set->owners[s] = problem->surfaces[s].owner;
  return true;
}

bool HasNearlyFlushPlanes(const LocalProblem& problem, double distance) {
  thread_local std::vector<LiteralSides> sides;
  const std::vector<LocalSurface>& surfaces = problem.surfaces;
  FindSides(problem.expression, static_cast<int>(surfaces.size()), &sides);
  const auto are_flush = [&](std::size_t i, std::size_t j) {
    const auto [difference, opposite] = Compare(surfaces[i], surfaces[j]);
    const LiteralSides other = opposite ? sides[j].Flipped() : sides[j];
    return difference <= distance &&
           ((sides[i].below && other.below) || (sides[i].above && other.above));
  };
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    if (surfaces[i].psi.degree != 1 || surfaces[i].owner != Owner::kA) continue;
    for (std::size_t j = 0; j < surfaces.size(); ++j) {
      const bool is_plane_of_B = surfaces[j].psi.degree == 1 && surfaces[j].owner == Owner::kB;
      if (is_plane_of_B && are_flush(i, j)) return true;
    }
  }
  return false;
}

}  // namespace volcontact
