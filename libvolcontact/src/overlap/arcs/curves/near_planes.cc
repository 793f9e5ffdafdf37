#include "overlap/arcs/curves/near_planes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The sine of the angle of planes that are parallel for rounding, and of those that are nearly so.
constexpr double kParallel = 1e-13, kNearlyParallel = 1e-6;

}  // namespace

std::optional<LocalSurface> DifferenceOfPlanes(const LocalSurface& first,
                                               const LocalSurface& second) {
  if (first.psi.degree > 1 || second.psi.degree > 1) return std::nullopt;
  const Vector3d f = LinearPart(first.psi), g = LinearPart(second.psi);
  const double squares = f.squaredNorm() * g.squaredNorm(), across = f.cross(g).squaredNorm();
  if (!(across <= kNearlyParallel * kNearlyParallel * squares &&
        across > kParallel * kParallel * squares))
    return std::nullopt;
  const double of_first = 1.0 / f.norm(), of_second = std::copysign(1.0 / g.norm(), f.dot(g));
  LocalSurface difference;
  difference.psi.degree = 1;
  double largest = 0.0;
  for (int m = 0; m < 4; ++m) {
    double& c = difference.psi.c[m];
    c = of_first * first.psi.c[m] - of_second * second.psi.c[m];
    largest = std::max(largest, std::abs(c));
  }
  for (int m = 0; m < 4; ++m) difference.psi.c[m] /= largest;
  difference.rounding = first.rounding;
  return difference;
}

}  // namespace volcontact
