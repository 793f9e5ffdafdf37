#include "overlap/frame/raw_metrics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "volcontact/overlap/contact_normal.h"

namespace volcontact {

namespace {

// An area vector this much smaller than the overlap's length squared is the rounding of a closed
// sum, as of a thin ring.
constexpr double kClosedSum = 1e-13;
// Second moments along a needle that are larger than those across it by more than this take their
// digits.
constexpr double kMostOfNeedle = 1e4;

// The factors to the axes that leave a needle no longer than that: the directions across it stay.
Eigen::Vector3d ShortenNeedle(const Eigen::Matrix3d& second) {
  const Eigen::Vector3d along = second.diagonal();
  Eigen::Index longest;
  const double most = along.maxCoeff(&longest);
  const double middle = along.sum() - most - along.minCoeff();
  Eigen::Vector3d factors = Eigen::Vector3d::Ones();
  if (most > kMostOfNeedle * middle) factors[longest] = std::sqrt(kMostOfNeedle * middle / most);
  return factors;
}

// Whether the area vector is all error.
bool HasNoDirection(const RawMetrics& raw) {
  const double spread = raw.moments.CentralSecond().diagonal().maxCoeff() / raw.moments.volume;
  return raw.area.stableNorm() <= std::max(raw.area_noise, kClosedSum * 12.0 * spread);
}

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
  if (HasNoDirection(raw)) return Eigen::Vector3d::Zero();
  return raw.area.stableNormalized();
}

Eigen::Vector3d NormalOf(const RawMetrics& raw, const Eigen::Vector3d& previous) {
  const Eigen::Vector3d area = HasNoDirection(raw) ? Eigen::Vector3d::Zero().eval() : raw.area;
  ContactNormalOptions options;
  options.previous = previous;
  const Eigen::Matrix3d second = raw.moments.CentralSecond();
  const Eigen::Vector3d factors = ShortenNeedle(second);
  const Eigen::Matrix3d inertia =
      InertiaFromSecond(factors.asDiagonal() * second * factors.asDiagonal());
  const ContactNormal shortened = ComputeContactNormal(inertia, area, options);
  const double weight = shortened.eigenvector_weight;
  if (weight == 1.0) return factors.cwiseProduct(shortened.normal).stableNormalized();
  // The area vector is not shortened.
  const Eigen::Vector3d estimate = area.stableNormalized();
  if (weight == 0.0) return estimate;
  options.previous = area;
  const Eigen::Vector3d axis =
      ComputeContactNormal(inertia, Eigen::Vector3d::Zero(), options).normal;
  return (weight * factors.cwiseProduct(axis).normalized() + (1.0 - weight) * estimate)
      .stableNormalized();
}

Eigen::Vector3d ProjectionAxis(const RawMetrics& raw) {
  const Eigen::Vector3d n = NormalOf(raw);
  return n.isZero() ? Eigen::Vector3d::UnitZ().eval() : n;
}

}  // namespace volcontact
