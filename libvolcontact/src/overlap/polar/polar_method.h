// The room `polar`: the method for convex overlaps, by columns about an axis.
//
// The method for convex overlaps: columns over polar coordinates about an axis through the overlap.
// The public interface calls it Method::kPatch.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"
#include "overlap/cells/locate.h"
#include "overlap/columns/column_quadrature.h"
#include "overlap/columns/slice.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

struct PolarMethodOptions {
  double tolerance = 1e-6;
  long max_columns = 2'000'000;
};

struct PolarMethodResult {
  RawMetrics raw;    ///< volume zero: no overlap
  long cells = 0;    ///< octree cells, where one was needed to find the overlap
  long sectors = 0;  ///< half-slices integrated
};

/// Integrates a convex region with columns over polar coordinates about an axis through its
/// interior: on every half-slice through the axis each column is one interval, up to a rim. Around
/// the axis the trapezoidal rule, which converges spectrally where the rim is smooth; where the
/// sequence of surfaces along a ray changes with the angle (corners of the rim), Gauss–Kronrod
/// rules between the angles at which it does.
///
/// The frame is found without an octree, as a rule: an interior point by a smoothed minimax search,
/// a rough ellipsoid of the region by casting lines from it, then one coarse polar pass that yields
/// centroid, contact normal and extents for the fine one.
class PolarMethod {
 public:
  /// `box`: bounded, in the set's frame, containing the whole region, which is convex. nullopt when
  /// the quadrature does not apply or does not reach the tolerance: another method must answer
  /// then.
  std::optional<PolarMethodResult> Run(const SurfaceSet& set, const Aabb& box,
                                       const PolarMethodOptions& options);

 private:
  /// kCorners: the trapezoidal rule does not do, the rim or the order of surfaces has corners.
  /// kNotPolar: the region does not reach from the axis to a rim within the box.
  enum class Outcome { kConverged, kCorners, kNotPolar };

  bool FindRoughFrame(const SurfaceSet& set, const Aabb& box, LocalFrame* frame, bool* empty);
  bool CastLine(const Eigen::Vector3d& p, const Eigen::Vector3d& d, double* t0, double* t1) const;
  bool Whiten(Eigen::Vector3d* center, Eigen::Matrix3d* axes) const;
  bool Integrate(const SurfaceSet& set, const LocalFrame& frame, double tolerance,
                 const PolarMethodOptions& options, RawMetrics* raw);
  Outcome IntegrateRays(double tolerance, RegionSums* sums, double* error);
  bool LeavesBox(double v);
  bool FindRay(double angle, std::uint64_t* structure);
  void AddRay(double angle, const KronrodRule& rule, RegionSums* fine, RegionSums* coarse);

  LocalProblem problem_;
  Locator locator_;
  ColumnQuadrature quadrature_;
  Slice slice_;
  SliceStructure ray_;
  Column column_;
  std::vector<EventSource> sources_;
  std::vector<QuadraticModel> models_;
  Conjunction conjunction_;
  long cells_ = 0, rays_ = 0;
};

}  // namespace volcontact
