// The ten monomial moments of a volume and what follows from them.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Integrals of 1, x and x x^T over a volume at unit density, about the origin of the frame they
/// are expressed in. All further metrics (centroid, inertia) are derived from them once, at the
/// end. A plain value of 104 bytes: any number of threads may read one.
struct VOLCONTACT_EXPORT VolumeMoments {
  /// Volume [m³].
  double volume = 0.0;
  /// First moments, the integral of x [m⁴].
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  /// Second moments, the integral of x x^T, symmetric [m⁵].
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();

  VolumeMoments& operator+=(const VolumeMoments& other);
  VolumeMoments& operator*=(double factor);

  /// Centroid [m]; the volume must not be zero.
  Eigen::Vector3d Centroid() const { return first / volume; }
  /// Second moments about the centroid, the integral of r r^T with r = x − centroid [m⁵].
  Eigen::Matrix3d CentralSecond() const;
  /// Inertia tensor about the centroid at unit density, the integral of (r·r)I − r r^T [m⁵].
  Eigen::Matrix3d CentralInertia() const;

  /// The same moments expressed in frame F, given the pose of the present frame in F by its
  /// rotation R_FC and origin p_FC.
  VolumeMoments Transformed(const Eigen::Matrix3d& R_FC, const Eigen::Vector3d& p_FC) const;
};

/// Inertia tensor tr(C)I − C of central second moments C, and back by C = ½tr(J)I − J.
VOLCONTACT_EXPORT Eigen::Matrix3d InertiaFromSecond(const Eigen::Matrix3d& second);
VOLCONTACT_EXPORT Eigen::Matrix3d SecondFromInertia(const Eigen::Matrix3d& inertia);

VOLCONTACT_NAMESPACE_END
