// Integrals over a region and its boundary in the scaled coordinates of a local problem.
#pragma once

#include <array>

#include "overlap/columns/slice.h"
#include "overlap/frame/raw_metrics.h"

namespace volcontact {

/// Sums over slices: ten monomial moments of the region; over B's share of its boundary the area
/// element N and the products r_i N_j; the area vector of its top as seen
/// along z, whose z component is the area of the projection. Scaled coordinates y.
struct RegionSums {
  enum Index {
    kOne,
    kX,
    kY,
    kZ,
    kXX,
    kXY,
    kXZ,
    kYY,
    kYZ,
    kZZ,           // moments
    kN = 10,       // N_x, N_y, N_z
    kRN = 13,      // r_x N, r_y N, r_z N
    kTop = 22,     // area vector of the region's top
    kFacing = 25,  // A's and B's shares' components along a direction, in absolute value
    kSpread = 27,  // N_x, N_y, N_z in absolute value, of parts of the boundary
    kSize = 30
  };
  std::array<double, kSize> s{};

  void Add(double weight, const RegionSums& other) {
    for (int i = 0; i < kSize; ++i) s[i] += weight * other.s[i];
  }

  /// Adds weight times the sums over the slice through `base` along the unit vector `direction`.
  void AddSlice(double weight, const SliceSums& slice, const Eigen::Vector2d& base,
                const Eigen::Vector2d& direction);

  /// Largest difference of a moment, in the box's units (all of the order of the volume), and of an
  /// area term relative to the projection, or to B's share where that is less, made commensurate by
  /// the volume.
  double Distance(const RegionSums& other) const;

  /// What differences of B's area terms are relative to.
  double AreaScale() const;
  /// Largest difference of an area term, and the largest of these terms.
  double AreaDifference(const RegionSums& other) const;
  double LargestArea() const;
  /// What an error of an area term in a part of the region, of which these are the sums, counts
  /// beside errors of moments.
  double AreaErrorAsMoment(double error) const;

  /// Converts to physical units in the problem's frame C: y = x/h.
  RawMetrics ToRaw(const LocalFrame& frame) const;
};

}  // namespace volcontact
