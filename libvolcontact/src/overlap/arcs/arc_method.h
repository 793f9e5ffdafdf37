// The moments of a region as sums over its edges.
#pragma once

#include <optional>

#include "overlap/arcs/edge_finder.h"
#include "overlap/arcs/edge_nodes.h"
#include "overlap/arcs/edge_quadrature.h"
#include "overlap/arcs/projected_area.h"
#include "overlap/arcs/torus_seams.h"
#include "overlap/cells/locate.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

struct ArcMethodOptions {
  double tolerance = 1e-6;  ///< relative, of the volume
  long max_cells = 100'000;
};

/// Why the sums are not to be had, or not believed.
enum class ArcFailure {
  kNone,
  kSurfaces,          ///< a surface of a kind that has no sums
  kUnresolved,        ///< surfaces that touch along a curve, or meet in one; or too many cells
  kLooseEnd,          ///< an edge found does not go on
  kNearlyDegenerate,  ///< a surface is too near to a degenerate one
  kNotClosed,         ///< the faces found do not close
  kNoOutline,         ///< where faces turn away from the normal was not all found
};

/// "surfaces touch, or several share an edge", and so on.
const char* Describe(ArcFailure failure);

struct ArcMethodResult {
  ArcFailure failure = ArcFailure::kNone;
  RawMetrics raw;  ///< also of a boundary that does not close, with the error that this tells
  long cells = 0, pieces = 0;
};

/// Sums over the edges of regions bounded by planes and quadrics: exact but for a quadrature along
/// smooth curves, at the cost of the few cells that edges pass through.
class ArcMethod {
 public:
  /// `box` contains the region, in the set's frame.
  ArcMethodResult Run(const SurfaceSet& set, const Aabb& box, const ArcMethodOptions& options);

  /// The problem of the last run, localized in a box around the region.
  const LocalProblem& problem() const { return problem_; }

 private:
  void LocalizeIn(const SurfaceSet& set, const LocalFrame& tight);
  ArcFailure Find(const SurfaceSet& set, const LocalFrame& tight, const ArcMethodOptions& options,
                  ArcMethodResult* result);
  ArcFailure Sum(const SurfaceSet& set, const LocalFrame& tight, const ArcMethodOptions& options,
                 ArcMethodResult* result);
  ArcFailure SumAligned(const SurfaceSet& set, const LocalFrame& tight,
                        const ArcMethodOptions& options, ArcMethodResult* result);
  ArcFailure SumParts(const SurfaceSet& set, const LocalFrame& tight,
                      const ArcMethodOptions& options, ArcMethodResult* result);
  std::optional<double> Shadow(const ArcMethodOptions& options, const Eigen::Vector3d& direction);

  Locator locator_;
  LocalProblem problem_;
  EdgeFinder finder_;
  EdgeNodes nodes_;
  TorusSeams seams_;
  EdgeQuadrature quadrature_;
  ProjectedArea projection_;
};

}  // namespace volcontact
