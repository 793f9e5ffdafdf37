#include "volcontact/forces/nearby_contact.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/cross_matrix.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// V V''/V'^2 at most, which a power law of exponent 10 has: beyond there is no end to its reach.
constexpr double kMostCurvature = 0.9;
// Share of the height or of the extent up to which a model of second and of first order is trusted.
// The terms left out are its third and second power.
constexpr double kTrusted = 0.3, kTrustedFirstOrder = 0.1;
// The same for the turn about the normal [rad].
constexpr double kTrustedTurn = 0.1;

Matrix3d PositivePart(const Matrix3d& m) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(0.5 * (m + m.transpose()));
  const Vector3d values = solver.eigenvalues().cwiseMax(0.0);
  return solver.eigenvectors() * values.asDiagonal() * solver.eigenvectors().transpose();
}

// The second moments of the pressure across n give those of the area, where the section is about
// constant.
Matrix3d TiltingByInertia(const ContactGeometry& geometry, double slope) {
  const Vector3d& n = geometry.normal_W;
  const Matrix3d across = Matrix3d::Identity() - n * n.transpose();
  const Matrix3d second =
      0.5 * geometry.inertia_W.trace() * Matrix3d::Identity() - geometry.inertia_W;
  const Matrix3d spread = across * second * across;
  return slope / geometry.volume * across * (spread.trace() * across - spread) * across;
}

}  // namespace

NearbyContact::NearbyContact(const Metrics& metrics, ContactDirection direction,
                             const Vector3d& last_normal_W)
    : geometry_(GeometryOf(metrics, direction, last_normal_W)) {
  if (!geometry_.touching) return;
  area_W_ = metrics.area_vector_W;
  compression_ = geometry_.volume;
  slope_ = area_W_.norm();
  if (metrics.area_normal_W.isZero()) {
    // One body in the other: V does not change, and the force goes on as it is.
    slope_ = std::cbrt(geometry_.volume * geometry_.volume);
    parting_ << geometry_.normal_W, Vector3d::Zero();
    FitPowerLaw(0.0);
    return;
  }
  parting_ << area_W_, metrics.area_moment_W;
  parting_ /= slope_;
  if (metrics.hessian_W && metrics.centroid_derivative_W) {
    SetSecondOrder(metrics);
  } else {
    FitPowerLaw(0.0);
    tilting_ = TiltingByInertia(geometry_, slope_);
  }
}

NearbyContact::NearbyContact(const ContactGeometry& geometry)
    : geometry_(geometry), is_second_order_(!(geometry.volume > 0.0)) {
  if (!geometry_.touching) return;
  parting_ << geometry_.normal_W, Vector3d::Zero();
  compression_ = geometry_.depth;
  slope_ = 1.0;
  if (geometry_.volume > 0.0) {
    area_W_ = geometry_.contact_area * geometry_.normal_W;
    compression_ = geometry_.volume;
    // Without an area, as inside another body, the force goes on as it is.
    slope_ = geometry_.contact_area > 0.0 ? geometry_.contact_area
                                          : std::cbrt(geometry_.volume * geometry_.volume);
    tilting_ = TiltingByInertia(geometry_, slope_);
  }
  FitPowerLaw(0.0);
}

void NearbyContact::SetSecondOrder(const Metrics& metrics) {
  is_second_order_ = true;
  hessian_ = *metrics.hessian_W;
  centroid_rate_ = *metrics.centroid_derivative_W;
  const Vector3d along = parting_.head<3>();
  FitPowerLaw(along.dot(hessian_.topLeftCorner<3, 3>() * along));
  const Matrix3d turned =
      geometry_.volume * CrossMatrix(geometry_.normal_W) * centroid_rate_.rightCols<3>();
  const Vector3d arm = parting_.tail<3>();
  tilting_ = PositivePart(turned - slope_ * arm * arm.transpose());
}

void NearbyContact::FitPowerLaw(double curvature) {
  const double ratio =
      std::clamp(compression_ * curvature / (slope_ * slope_), 0.0, kMostCurvature);
  exponent_ = 1.0 / (1.0 - ratio);
  reach_ = exponent_ * compression_ / slope_;
}

void NearbyContact::TakeExponent(double exponent) {
  exponent_ = exponent;
  if (slope_ > 0.0) reach_ = exponent_ * compression_ / slope_;
}

double NearbyContact::Volume(const Vector6& motion) const {
  const double V =
      geometry_.volume - slope_ * parting_.dot(motion) + 0.5 * motion.dot(hessian_ * motion);
  return std::max(V, 0.0);
}

Vector3d NearbyContact::AreaVector(const Vector6& motion) const {
  return area_W_ - hessian_.topRows<3>() * motion;
}

Vector3d NearbyContact::Centroid(const Vector6& motion) const {
  return geometry_.point_W + centroid_rate_ * motion;
}

bool NearbyContact::Trusts(const Vector6& motion) const {
  if (!geometry_.touching) return false;
  const double part = is_second_order_ ? kTrusted : kTrustedFirstOrder;
  const double s = parting_.dot(motion);
  const double left = reach_ - s;
  // Apart by more than what the model may err.
  if (left < 0.0) return -left > part * std::abs(s);
  const double height = std::min(reach_, left), extent = geometry_.gyration_radius;
  const Vector3d& n = geometry_.normal_W;
  const Vector3d d = motion.head<3>(), w = motion.tail<3>();
  return std::abs(s) <= part * height && std::abs(n.dot(w)) <= kTrustedTurn &&
         (w - n * n.dot(w)).norm() * extent <= part * height &&
         (extent == 0.0 || (d - n * n.dot(d)).norm() <= part * extent);
}

VOLCONTACT_NAMESPACE_END
