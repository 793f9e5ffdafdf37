// What a contact law needs to know of the shapes of a contact: the output of a geometric pair.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The geometry of one contact of bodies A and B in the world frame W. A volumetric pair gives the
/// volume with its moments; a point pair gives the depth, and leaves the moments zero. A plain
/// value: any number of threads may read one.
struct ContactGeometry {
  /// False when the bodies are apart; then nothing else is set.
  bool touching = false;
  Eigen::Vector3d point_W = Eigen::Vector3d::Zero();    ///< p_c: centroid, or the contact point [m]
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();   ///< unit, from B toward A
  double depth = 0.0;                                   ///< of a point pair, along the normal [m]
  double volume = 0.0;                                  ///< V [m³]
  Eigen::Matrix3d inertia_W = Eigen::Matrix3d::Zero();  ///< J_v about p_c at unit density [m⁵]
  double contact_area = 0.0;                            ///< A_c, of the projection along n [m²]
  /// r_gyr = sqrt(n·J_v n / V) [m] (Gonthier 2007, Eq. (4.212)); zero for a point pair.
  double gyration_radius = 0.0;
};

/// The geometry of the contact that the metrics of an overlap describe.
VOLCONTACT_EXPORT ContactGeometry GeometryOf(const Metrics& metrics);

VOLCONTACT_NAMESPACE_END
