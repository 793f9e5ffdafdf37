// The room `polar`: the method for convex overlaps with a smooth rim, by columns about an axis.
//
// Columns over polar coordinates about an axis through the overlap. The public interface calls it
// Method::kPatch.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"
#include "overlap/cells/locate.h"
#include "overlap/columns/region_sums.h"
#include "overlap/columns/slice.h"
#include "overlap/columns/slice_family.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

struct PolarMethodResult {
  RawMetrics raw;  ///< volume zero: no overlap
  long cells = 0;  ///< octree cells, where one was needed to find the overlap
  long rays = 0;   ///< half-slices integrated
};

/// Integrates a convex region with columns over polar coordinates about an axis through its
/// interior: on every half-slice through the axis each column is one interval, up to a rim. Around
/// the axis the trapezoidal rule, which converges spectrally where the rim is smooth. Where the
/// sequence of surfaces along a ray changes with the angle, the rim has corners, and narrow caps
/// may lie between any two rays: that is left to others.
///
/// The frame is found without an octree, as a rule: an interior point by a smoothed minimax search,
/// a rough ellipsoid of the region by casting lines from it, then one coarse polar pass that yields
/// centroid, contact normal and extents for the fine one.
class PolarMethod {
 public:
  /// `box`: bounded, in the set's frame, containing the whole region, which is convex. nullopt when
  /// the quadrature does not apply or does not reach the tolerance: another method must answer
  /// then.
  std::optional<PolarMethodResult> Run(const SurfaceSet& set, const Aabb& box, double tolerance);

 private:
  bool FindRoughFrame(const SurfaceSet& set, const Aabb& box, LocalFrame* frame, bool* empty);
  bool CastLine(const Eigen::Vector3d& p, const Eigen::Vector3d& d, double* t0, double* t1) const;
  bool Whiten(Eigen::Vector3d* center, Eigen::Matrix3d* axes) const;
  bool Integrate(const SurfaceSet& set, const LocalFrame& frame, double tolerance, RawMetrics* raw);
  bool IntegrateRays(double tolerance, RegionSums* sums, double* error);
  bool LeavesBox(double v);
  bool FindRay(double angle, std::uint64_t* structure);
  void AddRay(double angle, const KronrodRule& rule, RegionSums* fine, RegionSums* coarse);

  LocalProblem problem_;
  Locator locator_;
  Slice slice_;
  SliceStructure ray_;
  Column column_;
  std::vector<EventSource> sources_;
  std::vector<QuadraticModel> models_;
  Conjunction conjunction_;
  long cells_ = 0, rays_ = 0;
};

}  // namespace volcontact
