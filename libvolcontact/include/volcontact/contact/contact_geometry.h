// The geometry of a contact, as contact laws read it: the output of a geometric pair.
#pragma once

#include <Eigen/Core>
#include <array>

#include "volcontact/export.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The direction in which a volumetric contact pushes, from B toward A. All quantities with a
/// normal, from the split of velocities to the gyration radius, refer to it.
enum class ContactDirection {
  /// a/|a|, along which V falls fastest. On a plane the elastic force is then that of an elastic
  /// foundation, ∫ k h dA at the centroid, which has a potential (docs/theory.md, section 17).
  kAreaVector,
  /// Metrics::normal_W, the eigenvector of J_v (Gonthier 2007, App. A.3.3). If an edge or a corner
  /// dips into a face, it leans by up to half the wedge's angle, and the force creates energy.
  kEigenvector,
};

/// The geometry of one contact of bodies A and B in the world frame W. A volumetric pair gives the
/// volume with its moments; a point pair gives the depth, and leaves the moments zero. A plain
/// value: any number of threads may read one.
struct ContactGeometry {
  /// False if the bodies do not touch; then nothing else is set.
  bool touching = false;
  Eigen::Vector3d point_W = Eigen::Vector3d::Zero();    ///< p_c: centroid, or the contact point [m]
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();   ///< unit, from B toward A
  double depth = 0.0;                                   ///< of a point pair, along the normal [m]
  double volume = 0.0;                                  ///< V [m³]
  Eigen::Matrix3d inertia_W = Eigen::Matrix3d::Zero();  ///< J_v about p_c at unit density [m⁵]
  /// A_c [m²]. Along the area vector it is |a|, which on a plane is the area of the section. Along
  /// the eigenvector it is the area of the projection along n.
  double contact_area = 0.0;
  /// r_gyr = sqrt(n·J_v n / V) [m] (Gonthier 2007, Eq. (4.212)); zero for a point pair.
  double gyration_radius = 0.0;
};

/// The geometry of the contact that the metrics of an overlap describe. If the overlap has no
/// direction, for example because one solid lies inside the other, the direction is
/// `last_normal_W`, the unit normal that the contact had before; the force then does not jump.
/// Without a last normal the result is not touching, because no direction to push is known.
VOLCONTACT_EXPORT ContactGeometry
GeometryOf(const Metrics& metrics, ContactDirection direction = ContactDirection::kAreaVector,
           const Eigen::Vector3d& last_normal_W = Eigen::Vector3d::Zero());

/// The mean height of an overlap along the normal, V/A_c [m], at most that of the cube of the same
/// volume, or of the prism with the same second moment, whichever is higher. V/A_c does not exceed
/// the latter if A_c is the largest section. |a| is smaller than that section if one solid is
/// almost inside the other. If A_c is zero or unknown (NaN), the height is the bound; for a point
/// pair it is 0.
VOLCONTACT_EXPORT double MeanHeight(const ContactGeometry& geometry);

/// The derivatives of a geometry by the motion of A: the translation along the axes of W [m], then
/// the rotation about the present contact point [rad]. The fields of each ContactGeometry are
/// rates; `touching` has no meaning.
using ContactGeometryDerivatives = std::array<ContactGeometry, 6>;

/// The derivatives of GeometryOf(metrics, direction), exact, from the Hessian. Along the
/// eigenvector those of the contact area are unknown, and zero. Throws InvalidInput if the metrics
/// have no Hessian (QueryOptions::hessian) or no area vector. Cost: about 2 µs.
VOLCONTACT_EXPORT ContactGeometryDerivatives
DerivativesOf(const Metrics& metrics, ContactDirection direction = ContactDirection::kAreaVector);

VOLCONTACT_NAMESPACE_END
