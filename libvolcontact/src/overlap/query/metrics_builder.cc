#include "overlap/query/metrics_builder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

// Sums of some thousand terms of one sign round by no more than this, relatively.
constexpr double kSummationError = 64.0 * std::numeric_limits<double>::epsilon();

}  // namespace

void MetricsBuilder::FinishVolume(double seconds) {
  metrics_.tolerance = options_.tolerance;
  metrics_.stats.seconds = seconds;
  metrics_.stats.threads = options_.threads;
  const VolumeMoments& moments = raw_.moments;
  metrics_.overlap = moments.volume > 0.0;
  metrics_.converged = raw_.converged;
  if (!metrics_.overlap) return;
  const Rigid X_WC = X_WA_ * raw_.X_AC;
  const Eigen::Matrix3d R_WC = X_WC.RotationDouble();
  metrics_.volume = moments.volume;
  metrics_.volume_error = std::max(raw_.volume_error, kSummationError * moments.volume);
  metrics_.centroid_W = Round(X_WC * ToDoubleDouble(moments.Centroid()));
  metrics_.inertia_W = R_WC * moments.CentralInertia() * R_WC.transpose();
  metrics_.inertia_W = 0.5 * (metrics_.inertia_W + metrics_.inertia_W.transpose()).eval();
  metrics_.distance = 0.0;
}

Metrics MetricsBuilder::FinishMass(double seconds) {
  FinishVolume(seconds);
  return metrics_;
}

Metrics MetricsBuilder::Finish(double seconds) {
  FinishVolume(seconds);
  if (!metrics_.overlap) return metrics_;
  const Eigen::Matrix3d R_WC = (X_WA_ * raw_.X_AC).RotationDouble();
  const VolumeMoments& moments = raw_.moments;
  metrics_.area_vector_W = R_WC * raw_.area;
  metrics_.area_moment_W = R_WC * (raw_.torque - moments.Centroid().cross(raw_.area));
  const Eigen::Vector3d normal = NormalOf(raw_, R_WC.transpose() * options_.previous_normal_W);
  metrics_.normal_W = R_WC * normal;
  // Columns follow the normal of a coarser pass. The area seen along a direction close to theirs is
  // that direction's component of the top's area vector, to second order in the angle.
  metrics_.contact_area = raw_.projected_area;
  if (raw_.top.z() > 0.0 && std::abs(normal.z()) > 0.9) {
    metrics_.contact_area = std::abs(raw_.top.dot(normal));
  }
  if (contact_area_) metrics_.contact_area = contact_area_(normal);
  if (metrics_.contact_area > 0.0) metrics_.mean_height = moments.volume / metrics_.contact_area;
  const double about_normal = normal.dot(moments.CentralInertia() * normal) / moments.volume;
  metrics_.gyration_radius = std::sqrt(std::max(0.0, about_normal));
  return metrics_;
}

}  // namespace volcontact
