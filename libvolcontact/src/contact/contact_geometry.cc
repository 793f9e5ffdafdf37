#include "volcontact/contact/contact_geometry.h"

#include <algorithm>
#include <cmath>

#include "volcontact/math/error.h"
#include "volcontact/overlap/contact_normal.h"

VOLCONTACT_NAMESPACE_BEGIN

ContactGeometry GeometryOf(const Metrics& metrics, ContactDirection direction,
                           const Eigen::Vector3d& last_normal_W) {
  ContactGeometry geometry;
  if (!metrics.overlap) return geometry;
  const bool has_area = !metrics.area_normal_W.isZero();
  const bool by_area = direction == ContactDirection::kAreaVector;
  geometry.normal_W = by_area ? metrics.area_normal_W : metrics.normal_W;
  // Without an area vector the side of an eigenvector is arbitrary.
  if (!has_area) geometry.normal_W = last_normal_W;
  geometry.touching = !geometry.normal_W.isZero();
  if (!geometry.touching) return {};
  const Eigen::Vector3d& n = geometry.normal_W;
  geometry.point_W = metrics.centroid_W;
  geometry.volume = metrics.volume;
  geometry.inertia_W = metrics.inertia_W;
  geometry.contact_area = metrics.contact_area;
  if (by_area) geometry.contact_area = has_area ? metrics.area_vector_W.norm() : 0.0;
  geometry.gyration_radius =
      std::sqrt(std::max(0.0, n.dot(metrics.inertia_W * n) / metrics.volume));
  return geometry;
}

double MeanHeight(const ContactGeometry& geometry) {
  const double V = geometry.volume, A = geometry.contact_area;
  if (!(V > 0.0)) return 0.0;
  const Eigen::Vector3d& n = geometry.normal_W;
  const double second = 0.5 * geometry.inertia_W.trace() - n.dot(geometry.inertia_W * n);
  // The second moment of a flat overlap is the difference of large ones, and may be all rounding.
  const double most = std::max(std::cbrt(V), std::sqrt(12.0 * std::max(second, 0.0) / V));
  return V < most * A ? V / A : most;
}

ContactGeometryDerivatives DerivativesOf(const Metrics& metrics, ContactDirection direction) {
  if (!metrics.hessian_W || !metrics.centroid_derivative_W || !metrics.inertia_derivative_W ||
      metrics.area_normal_W.isZero()) {
    throw InvalidInput("the overlap has no second derivative at these poses" +
                       (metrics.warnings.empty() ? "" : ": " + metrics.warnings.front()));
  }
  const double area = metrics.area_vector_W.norm();
  const Eigen::Vector3d along = metrics.area_vector_W / area;
  const Matrix36 by_area = -metrics.hessian_W->topRows<3>();
  const Eigen::Matrix<double, 1, 6> stretch = along.transpose() * by_area;
  const bool is_along_area = direction == ContactDirection::kAreaVector;
  Matrix36 turn;
  if (is_along_area) {
    turn = (by_area - along * stretch) / area;
  } else {
    turn = ContactNormalDerivative(metrics.inertia_W, metrics.area_vector_W,
                                   *metrics.inertia_derivative_W, by_area);
  }
  const Eigen::Vector3d n = is_along_area ? along : metrics.normal_W;
  const double radius = std::sqrt(std::max(0.0, n.dot(metrics.inertia_W * n) / metrics.volume));
  ContactGeometryDerivatives rates;
  for (int i = 0; i < 6; ++i) {
    ContactGeometry& rate = rates[static_cast<std::size_t>(i)];
    rate.volume = i < 3 ? -metrics.area_vector_W[i] : -metrics.area_moment_W[i - 3];
    rate.point_W = metrics.centroid_derivative_W->col(i);
    rate.normal_W = turn.col(i);
    rate.inertia_W = (*metrics.inertia_derivative_W)[static_cast<std::size_t>(i)];
    rate.contact_area = is_along_area ? stretch[i] : 0.0;
    const double square = n.dot(rate.inertia_W * n) + 2.0 * turn.col(i).dot(metrics.inertia_W * n);
    rate.gyration_radius =
        radius > 0.0
            ? 0.5 * (square / metrics.volume / radius - radius * rate.volume / metrics.volume)
            : 0.0;
  }
  return rates;
}

VOLCONTACT_NAMESPACE_END
