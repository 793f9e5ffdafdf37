#include "overlap/frame/raw_metrics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "volcontact/overlap/contact_normal.h"

namespace volcontact {

namespace {

// An area vector this much smaller than the overlap's size squared is the rounding of a closed sum.
constexpr double kClosedSum = 1e-13;

}  // namespace

double AreaNoise(double tolerance, const VolumeMoments& moments) {
  const Eigen::Vector3d spread = moments.CentralSecond().diagonal() / moments.volume;
  return kAreaShare * tolerance * moments.volume / std::sqrt(12.0 * spread.minCoeff());
}

void AddAreas(const RawMetrics& other, double factor, RawMetrics* raw) {
  const Rigid X = raw->X_AC.Inverse() * other.X_AC;
  const Eigen::Matrix3d R = X.RotationDouble();
  const Eigen::Vector3d area = factor * (R * other.area);
  raw->area += area;
  raw->torque += factor * (R * other.torque) + Round(X.t).cross(area);
}

Eigen::Vector3d AreaNormalOf(const RawMetrics& raw) {
  const double size = std::cbrt(raw.moments.volume), length = raw.area.stableNorm();
  if (length <= std::max(raw.area_noise, kClosedSum * size * size)) return Eigen::Vector3d::Zero();
  return raw.area / length;
}

Eigen::Vector3d NormalOf(const RawMetrics& raw, const Eigen::Vector3d& previous) {
  const bool vanishes = raw.area.norm() <= raw.area_noise;
  const Eigen::Vector3d area = vanishes ? Eigen::Vector3d::Zero().eval() : raw.area;
  ContactNormalOptions options;
  options.previous = previous;
  return ComputeContactNormal(raw.moments.CentralInertia(), area, options).normal;
}

Eigen::Vector3d ProjectionAxis(const RawMetrics& raw) {
  const Eigen::Vector3d n = NormalOf(raw);
  return n.isZero() ? Eigen::Vector3d::UnitZ().eval() : n;
}

}  // namespace volcontact
