// What every integrator returns: raw integrals in a local frame.
#pragma once

#include <Eigen/Core>

#include "math/rigid.h"
#include "volcontact/math/volume_moments.h"

namespace volcontact {

/// Raw integrals over A ∩ B in a local frame C whose origin lies in or near the overlap, so that
/// sums keep their digits. X_AC is double-double for the same reason.
struct RawMetrics {
  Rigid X_AC;
  VolumeMoments moments;                           ///< about C's origin, in C
  Eigen::Vector3d area = Eigen::Vector3d::Zero();  ///< a: integral of n over ∂B ∩ A, in C [m²]
  Eigen::Vector3d torque =
      Eigen::Vector3d::Zero();  ///< integral of r × n over it, about C's origin [m³]
  /// Area vector of the region's boundary as seen from +z; zero where only its z component, the
  /// projected area, is known.
  Eigen::Vector3d top = Eigen::Vector3d::Zero();
  double projected_area = 0.0;  ///< area of the projection along C's z axis [m²]
  double volume_error = 0.0;    ///< estimated absolute error [m³]
  bool converged = true;
};

}  // namespace volcontact
