#include <gtest/gtest.h>

#include "overlap/columns/column_quadrature.h"
#include "overlap/region_testing.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

// A ring that is pressed on the fillet around a boss, a little askew: on slices the outlines of
// both tori run together.
LocalProblem RingOnFillet() {
  const double boss = 0.3, fillet = 0.125;
  const Solid around =
      Difference(Cylinder(boss + fillet, fillet).Posed(PoseAt(0.0, 0.0, 0.5 * fillet)),
                 {Torus(boss + fillet, fillet).Posed(PoseAt(0.0, 0.0, fillet))});
  const Solid ring = Torus(boss + 0.1, 0.1).Posed(PoseAt(0.0, 1e-3, 0.099, 1e-4));
  const SurfaceSet set = RegionOf(around, ring);
  return ProblemOf(set, FrameOf(Intersect(around.Bounds(), ring.Bounds())));
}

TEST(ColumnQuadrature, EndsWithinItsEffortAndSaysSo) {
  const LocalProblem problem = RingOnFillet();
  for (const long budget : {1'000L, 20'000L, 100'000L}) {
    ColumnQuadrature quadrature;
    const ColumnQuadratureResult result =
        quadrature.Run(problem, {.tolerance = 1e-9, .max_columns = budget});
    EXPECT_FALSE(result.converged);
    EXPECT_GT(result.error, 0.0);
    // What is begun is finished, and slices are few at a time.
    EXPECT_LT(result.columns, 3 * budget + 900'000) << budget;
  }
}

TEST(ColumnQuadrature, DoesNotDependOnThreadsWhereTheBudgetEnds) {
  const LocalProblem problem = RingOnFillet();
  for (const long budget : {20'000L, 200'000L}) {
    ColumnQuadrature one, four;
    const ColumnQuadratureResult a =
        one.Run(problem, {.tolerance = 1e-9, .max_columns = budget, .threads = 1});
    const ColumnQuadratureResult b =
        four.Run(problem, {.tolerance = 1e-9, .max_columns = budget, .threads = 4});
    EXPECT_EQ(a.converged, b.converged);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.error, b.error);
    EXPECT_EQ(a.sums.s[RegionSums::kOne], b.sums.s[RegionSums::kOne]);
  }
}

}  // namespace
}  // namespace volcontact::testing
