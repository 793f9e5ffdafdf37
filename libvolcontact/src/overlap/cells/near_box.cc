#include "overlap/cells/near_box.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "overlap/cells/cell_bounds.h"

namespace volcontact {
namespace {

// The half axes of the ellipsoid are longer than the box's by these parts of its own half extent
// and of its largest one, so that turned frames about what it holds lie in it, too.
constexpr double kOwnAxis = 1.2, kTurnedAxis = 0.3;
// Surfaces are kept for a little more than the ellipsoid, for roundings.
constexpr double kKeptMargin = 1e-6;

// What is left of an expression in the cube of a problem, whose own one is overwritten.
Expression DecidedIn(const Expression& expression, LocalProblem* problem) {
  problem->expression = expression;
  SimplifyInBox(problem);
  return problem->expression;
}

void AddSurfaces(std::initializer_list<const Expression*> expressions, std::vector<int>* surfaces) {
  for (const Expression* expression : expressions) {
    const std::vector<int> more = expression->Surfaces();
    surfaces->insert(surfaces->end(), more.begin(), more.end());
  }
  std::sort(surfaces->begin(), surfaces->end());
  surfaces->erase(std::unique(surfaces->begin(), surfaces->end()), surfaces->end());
}

}  // namespace

void TakeNearBox(const SurfaceSet& set, const LocalFrame& box, SurfaceSet* result) {
  thread_local LocalProblem problem;
  thread_local std::vector<int> kept, before, labels;
  thread_local std::vector<Expression::Node> nodes;
  thread_local Expression of_A, of_B;
  const Eigen::Vector3d axes = AxesAround(box.half, kOwnAxis, kTurnedAxis);
  LocalFrame around = box;
  around.half = (1.0 + kKeptMargin) * axes;
  Localize(set, around, &problem);
  if (set.has_common) {
    of_A = DecidedIn(set.of_A, &problem);
    of_B = DecidedIn(set.of_B, &problem);
    problem.expression = set.expression;
  }
  SimplifyInBox(&problem);
  problem.expression.FindSurfaces(&kept);
  if (set.has_common) AddSurfaces({&of_A, &of_B}, &kept);
  set.expression.FindSurfaces(&before);
  if (problem.expression.IsConstant() || kept.size() + 1 >= before.size()) {
    *result = set;
    return;
  }
  result->surfaces.clear();
  result->owners.clear();
  result->kinds.clear();
  labels.assign(set.surfaces.size(), -1);
  for (const int s : kept) labels[s] = result->Add(set.surfaces[s], set.owners[s], set.kinds[s]);
  result->has_common = set.has_common;
  if (set.has_common) {
    result->of_A = of_A.Relabelled(labels);
    result->of_B = of_B.Relabelled(labels);
  }
  nodes = problem.expression.nodes();
  for (Expression::Node& node : nodes) {
    if (node.kind == Expression::Kind::kLiteral) node.value = labels[node.value];
  }
  const int fence = result->Add(EllipsoidAbout(box, axes), Owner::kNone, SurfaceKind::kElliptic);
  if (nodes.back().kind == Expression::Kind::kAnd) nodes.pop_back();
  nodes.push_back({Expression::Kind::kLiteral, false, fence});
  nodes.push_back({Expression::Kind::kAnd, false, static_cast<int>(nodes.size())});
  result->expression.Assign(nodes);
}

}  // namespace volcontact
