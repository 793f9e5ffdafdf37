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

}  // namespace

SurfaceSet NearBox(const SurfaceSet& set, const LocalFrame& box) {
  const Eigen::Vector3d axes =
      std::sqrt(3.0) *
      (kOwnAxis * box.half + Eigen::Vector3d::Constant(kTurnedAxis * box.half.maxCoeff()));
  LocalFrame around = box;
  around.half = (1.0 + kKeptMargin) * axes;
  LocalProblem problem;
  Localize(set, around, &problem);
  SimplifyInBox(&problem);
  const std::vector<int> kept = problem.expression.Surfaces();
  if (kept.size() + 1 >= set.expression.Surfaces().size()) return set;
  SurfaceSet result;
  std::vector<int> labels(set.surfaces.size(), 0);
  for (const int s : kept) labels[s] = result.Add(set.surfaces[s], set.owners[s], set.kinds[s]);
  SurfacePolynomial ellipsoid;
  ellipsoid.degree = 2;
  ellipsoid.c[kOne] = -1.0;
  for (int i = 0; i < 3; ++i) {
    ellipsoid.c[ProductIndex(i, i)] = DoubleDouble(1.0) / TwoProduct(axes[i], axes[i]);
  }
  const Rigid X_CA = box.X_AC.Inverse();
  const int fence =
      result.Add(Substitute(ellipsoid, X_CA.R, X_CA.t), Owner::kNone, SurfaceKind::kElliptic);
  result.expression =
      Expression::And({problem.expression.Relabelled(labels), Expression::Below(fence)});
  return result;
}

}  // namespace volcontact
