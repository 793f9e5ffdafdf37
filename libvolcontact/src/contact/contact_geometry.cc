#include "volcontact/contact/contact_geometry.h"

VOLCONTACT_NAMESPACE_BEGIN

ContactGeometry GeometryOf(const Metrics& metrics) {
  ContactGeometry geometry;
  // Without a normal, as where one solid lies inside the other, there is no direction to push.
  geometry.touching = metrics.overlap && !metrics.normal_W.isZero();
  if (!geometry.touching) return geometry;
  geometry.point_W = metrics.centroid_W;
  geometry.normal_W = metrics.normal_W;
  geometry.volume = metrics.volume;
  geometry.inertia_W = metrics.inertia_W;
  geometry.contact_area = metrics.contact_area;
  geometry.gyration_radius = metrics.gyration_radius;
  return geometry;
}

VOLCONTACT_NAMESPACE_END
