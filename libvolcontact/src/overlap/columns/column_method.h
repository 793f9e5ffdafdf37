// The room `columns`: quadrature over columns and slices, the general method for implicit solids.
//
// The general method: locate the overlap with a certified octree, integrate it by columns in an
// aligned frame. The public interface calls it Method::kColumns.
#pragma once

#include <optional>
#include <vector>

#include "overlap/cells/locate.h"
#include "overlap/columns/column_quadrature.h"
#include "overlap/columns/torus_sheets.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/frame/volume_bracket.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact {

struct ColumnMethodOptions {
  double tolerance = 1e-6;
  long max_cells = 2'000'000;  ///< and columns
  int threads = 1;
  bool certify = true;     ///< find the bracket
  bool projection = true;  ///< measure the contact area
};

struct ColumnMethodResult {
  RawMetrics raw;
  VolumeBracket bracket;
  long cells = 0;
  long columns = 0;  ///< and looks at surfaces on slices
  long leaves = 0;   ///< panels of slices, and polytopes
};

/// Integrates the region of a surface set in two passes. A coarse pass in the frame of the located
/// overlap finds the contact normal. The fine pass has its columns along this normal, unless they
/// were close to it already. With a torus, the slices are across its axis instead, and one pass is
/// enough; a coarse one after it measures the contact area. `box` is bounded and contains the whole
/// region, in the set's frame. Without overlap the volume is zero. Keeps its memory from run to
/// run.
class ColumnMethod {
 public:
  ColumnMethodResult Run(const SurfaceSet& set, const Aabb& box,
                         const ColumnMethodOptions& options);

  /// The area of the projection of a region, which lies in a frame's box, along a unit vector in
  /// the set's frame A, to about 1e-4. `area` is its area vector in A.
  ContactAreaFound Project(const SurfaceSet& set, const LocalFrame& frame,
                           const Eigen::Vector3d& direction, const Eigen::Vector3d& area,
                           const ColumnMethodOptions& options);

  /// A quadrature of the same region, in the set's frame: two points in each interval of a column.
  std::vector<VolumeSample> Sample(const SurfaceSet& set, const Aabb& box,
                                   const ColumnMethodOptions& options);
  /// The same in half-slices from a line: one point in the middle of each interval.
  std::vector<VolumeSample> SampleAbout(const SampleAxis& axis, const SurfaceSet& set,
                                        const Aabb& box, const ColumnMethodOptions& options);

 private:
  // One query: what is asked, and what has come of it so far.
  struct Query {
    const SurfaceSet& set;
    const ColumnMethodOptions& options;
    ColumnMethodResult result = {};
    bool by_columns = false;  // the quadrature has run over problem_, and not over a polytope
  };

  void Solve(const Aabb& box, Query* query);
  bool IntegrateTorus(const TorusSurface& torus, Query* query);
  RawMetrics Integrate(double tolerance, Query* query);
  RawMetrics IntegrateAcross(const TorusSurface& torus, Query* query);
  bool FitSheets(const TorusSurface& torus, double tolerance, Query* query);
  ContactAreaFound ProjectSheets(const Eigen::Vector3d& direction, const Eigen::Vector3d& area,
                                 const ColumnMethodOptions& options);
  static void Book(const ColumnQuadratureResult& quadrature, const LocalFrame& frame,
                   double tolerance, RawMetrics* raw, Query* query);
  std::optional<TorusSurface> FindTorus(const SurfaceSet& set);
  void AlignWithNormal(const RawMetrics& coarse, Query* query);
  void Certify(Query* query) const;

  // Scratch memory, kept from run to run; after a run, problem_ is the region in its last frame.
  LocalProblem problem_;
  std::vector<int> surfaces_;  // of its expression
  LocalProblem sheets_;        // tori split into sheets, in a frame across their axis
  Locator locator_;
  ColumnQuadrature quadrature_;
};

}  // namespace volcontact
