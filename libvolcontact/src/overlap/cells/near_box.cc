#include "overlap/cells/near_box.h"

#include <cmath>
#include <vector>

#include "overlap/cells/cell_bounds.h"

namespace volcontact {
namespace {

// The half axes of the ellipsoid are longer than the box's by these parts of its own half extent
// and of its largest one, so that turned frames about what it holds lie in it, too.
constexpr double kOwnAxis = 1.2, kTurnedAxis = 0.3;
// Surfaces are kept for a little more than the ellipsoid, for roundings.
constexpr double kKeptMargin = 1e-6;

// Σ (y/a)² − 1, of which y are coordinates along the frame's axes.
SurfacePolynomial EllipsoidAbout(const LocalFrame& frame, const Eigen::Vector3d& axes) {
  SurfacePolynomial psi;
  psi.degree = 2;
  psi.c[kOne] = -1.0;
  for (int i = 0; i < 3; ++i) {
    psi.c[ProductIndex(i, i)] = DoubleDouble(1.0) / TwoProduct(axes[i], axes[i]);
  }
  const Rigid X_CA = frame.X_AC.Inverse();
  return Substitute(psi, X_CA.R, X_CA.t);
}

}  // namespace

void TakeNearBox(const SurfaceSet& set, const LocalFrame& box, SurfaceSet* result) {
  thread_local LocalProblem problem;
  thread_local std::vector<int> kept, before, labels;
  thread_local std::vector<Expression::Node> nodes;
  const Eigen::Vector3d axes =
      std::sqrt(3.0) *
      (kOwnAxis * box.half + Eigen::Vector3d::Constant(kTurnedAxis * box.half.maxCoeff()));
  LocalFrame around = box;
  around.half = (1.0 + kKeptMargin) * axes;
  Localize(set, around, &problem);
  SimplifyInBox(&problem);
  problem.expression.FindSurfaces(&kept);
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
