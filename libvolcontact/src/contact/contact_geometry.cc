#include "volcontact/contact/contact_geometry.h"

#include <algorithm>
#include <cmath>

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
  geometry.contact_area = by_area ? metrics.area_vector_W.norm() : metrics.contact_area;
  geometry.gyration_radius =
      std::sqrt(std::max(0.0, n.dot(metrics.inertia_W * n) / metrics.volume));
  return geometry;
}

VOLCONTACT_NAMESPACE_END
