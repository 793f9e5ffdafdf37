// The result of every method: raw integrals in a local frame.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "math/rigid.h"
#include "volcontact/math/volume_moments.h"

namespace volcontact {

/// Quadrature controls the area vector no further than this part of the projection, or than this
/// share of its tolerance.
inline constexpr double kAreaNoise = 3e-7, kAreaShare = 0.1;

/// Raw integrals over A ∩ B in a local frame C whose origin lies in or near the overlap, so that
/// sums keep their digits. X_AC is double-double for the same reason.
struct RawMetrics {
  Rigid X_AC;
  VolumeMoments moments;                           ///< about C's origin, in C
  Eigen::Vector3d area = Eigen::Vector3d::Zero();  ///< a: integral of n over ∂B ∩ A, in C [m²]
  Eigen::Vector3d torque =
      Eigen::Vector3d::Zero();  ///< integral of r × n over it, about C's origin [m³]
  /// Area vector of the region's boundary as seen from +z, where columns along z were summed; else
  /// zero.
  Eigen::Vector3d top = Eigen::Vector3d::Zero();
  /// An area vector no longer than this is all error and has no direction [m²].
  double area_noise = 0.0;
  /// For quadrature: the areas whose sum is `area`, without what cancels, or the projection if that
  /// is larger [m²].
  double area_scale = 0.0;
  /// Area of the projection along C's z axis where `top` is given, else along ProjectionAxis [m²].
  double projected_area = 0.0;
  const char* area_warning = nullptr;  ///< what users are to be warned of about it, if anything
  double volume_error = 0.0;           ///< estimated absolute error [m³]
  /// What the volume is off at most [m³], if the edges found are all; infinite where nothing tells.
  double volume_bound = std::numeric_limits<double>::infinity();
  bool converged = true;
};

/// The area of a projection [m²], and what users are to be warned of, if anything.
struct ContactAreaFound {
  double area = 0.0;
  const char* warning = nullptr;

  ContactAreaFound(double value,
                   const char* about = nullptr)  // NOLINT(google-explicit-constructor)
      : area(value), warning(about) {}
};

inline constexpr const char* kAreaByLines =
    "the contact area was measured by lines along the normal, to about 1e-2: its outline was not "
    "found";

inline constexpr const char* kAreaByIntervals =
    "the contact area counts each interval of lines along the normal, to about 1e-2: it is too "
    "large where they meet the contact more than once";

/// What the tolerance leaves of an area [m²]: the volume over the thickness, about.
double AreaNoise(double tolerance, const VolumeMoments& moments);

/// Adds another region's area vector and its moment, times a factor.
void AddAreas(const RawMetrics& other, double factor, RawMetrics* raw);

/// The contact normal in C; zero where there is none.
Eigen::Vector3d NormalOf(const RawMetrics& raw,
                         const Eigen::Vector3d& previous = Eigen::Vector3d::Zero());

/// a/|a| in C; zero where `area` is no longer than its noise.
Eigen::Vector3d AreaNormalOf(const RawMetrics& raw);

/// The contact normal in C, up to its sign; the z axis where there is none.
Eigen::Vector3d ProjectionAxis(const RawMetrics& raw);

}  // namespace volcontact
