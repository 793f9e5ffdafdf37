// Derivatives of overlaps whose boundaries cross in one circle.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "overlap/frame/raw_metrics.h"
#include "overlap/frame/volume_derivatives.h"

namespace volcontact {

/// The circle about the z axis of the overlap's frame C in which the faces of A and B cross: A's is
/// part of a sphere or of a plane.
struct CrossingCircle {
  /// The normal of a face at the circle, away from its body.
  struct Normal {
    double outward = 0.0, along_z = 0.0;
  };

  double z = 0.0;       ///< height in C [m]
  double radius = 0.0;  ///< ρ [m]
  Normal of_A, of_B;
  double radius_over_sine = 0.0;   ///< ρ over the sine of the angle between the normals [m]
  std::optional<double> center_A;  ///< z of A's centre beyond the circle's [m]; a plane has none
  /// The part of the overlap between A's face and the circle's disc, about its centre: volume [m³]
  /// and integral of z [m⁴].
  double volume_A = 0.0, first_A = 0.0;
};

/// By the motion of A, in a frame at the circle's centre with the axes of C: the sums of
/// docs/theory.md, section 16, in closed form, exact but for rounding.
RawDerivatives DerivativesOf(const CrossingCircle& circle, const Rigid& X_AC);

}  // namespace volcontact
