#include "overlap/distance/convex_distance.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/difference_simplex.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr double kTolerance = 1e-6;
// Coordinates that are nearer than this part of themselves are equal to rounding.
constexpr double kEqualPoints = 0x1p-50;

std::optional<Vector3d> SupportPoint(const BodyAtPose& X, const Vector3d& n) {
  const std::optional<Vector3d> point = X.body.SupportPoint(X.R.transpose() * n);
  if (!point) return std::nullopt;
  return X.R * *point + X.t;
}

// The distance of a layer, along its normal n.
NearestPair LayerDistance(const BodyAtPose& layer, const BodyAtPose& Y) {
  NearestPair found;
  for (const double side : {1.0, -1.0}) {
    const Vector3d n = side * layer.R.col(2);
    const double top = layer.body.Support(side * Vector3d::UnitZ()) + n.dot(layer.t);
    const std::optional<Vector3d> y = SupportPoint(Y, -n);
    if (!y || !std::isfinite(top)) continue;
    const double gap = n.dot(*y) - top;
    if (gap > found.lower) found = {gap, gap, *y - gap * n, *y, true};
  }
  return found;
}

}  // namespace

NearestPair ConvexDistance(const BodyAtPose& X, const BodyAtPose& Y, double enough,
                           int most_steps) {
  if (X.body.IsLayer()) return LayerDistance(X, Y);
  if (Y.body.IsLayer()) return LayerDistance(Y, X).Swapped();
  NearestPair found;
  DifferenceSimplex simplex;
  Vector3d toward = Y.t - X.t;
  if (!(toward.norm() > 0.0)) toward = Vector3d::UnitX();
  toward.normalize();
  for (int step = 0; step < most_steps; ++step) {
    const std::optional<Vector3d> x = SupportPoint(X, toward), y = SupportPoint(Y, -toward);
    if (!x || !y) return {};
    found.lower = std::max(found.lower, toward.dot(*y - *x));
    if (found.lower > enough || found.lower >= (1.0 - kTolerance) * found.upper) break;
    simplex.Add(*x, *y);
    const Vector3d nearest_x = simplex.NearestX(), nearest_y = simplex.NearestY();
    const double distance = (nearest_x - nearest_y).norm();
    const double scale = x->cwiseAbs().maxCoeff() + y->cwiseAbs().maxCoeff();
    const bool meet = simplex.HoldsOrigin() || !(distance > kEqualPoints * scale);
    if (meet && !(found.lower > 0.0)) return {};
    if (meet || !(distance < found.upper)) break;
    found.upper = distance;
    found.x = nearest_x;
    found.y = nearest_y;
    toward = simplex.TowardOrigin();
  }
  found.is_apart = found.lower > 0.0;
  return found;
}

}  // namespace volcontact
