// The answer of a method: raw integrals, and how they were found.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "overlap/frame/raw_metrics.h"
#include "overlap/frame/volume_derivatives.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

inline constexpr const char* kAreaAtLeast =
    "the contact area may be too small where lines along the normal meet the contact more than "
    "once: it is that of the area vector, as for all meshes in unions";

/// The answer for an overlap, for one patch of it, or for a single solid. The metrics of a query
/// are built from this in one place (overlap/query/metrics_builder.h).
struct RawAnswer {
  RawMetrics raw;
  Method method = Method::kAuto;                       ///< that answered
  std::optional<std::array<double, 2>> volume_bounds;  ///< certified [m³]
  long cells = 0, leaves = 0, edges = 0;               ///< as in Statistics
  std::string fallback;                                ///< as in Statistics
  std::optional<double> distance;                      ///< bound of the separation [m], if known
  /// The contact area [m²] along the unit normal n in frame C, for methods that need the normal
  /// first; without it raw.projected_area and raw.top tell. May look at the scratch memory of the
  /// method: to be asked before that is used again.
  std::function<ContactAreaFound(const Eigen::Vector3d& n_C)> contact_area;
  /// By the motion of A, where they were asked for.
  RawDerivatives derivatives;
  std::vector<std::string> warnings;
  /// The volume is the middle of its bounds, of which the lower one is 0: nothing was found.
  bool undecided = false;

  bool HasVolume() const { return raw.moments.volume > 0.0; }
};

}  // namespace volcontact
