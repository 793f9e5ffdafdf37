#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "overlap/columns/column_method.h"
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

// A ring around a filleted boss of its own width, a little off its axis, and some way into the
// plate beneath: the sickle at the boss holds next to no volume, but an eighth of the area vector.
TEST(ColumnMethod, AreaOfSliversBetweenWalls) {
  const double radius = 0.3, fillet = 0.125, height = 0.3, depth = 3.5e-3, shift = 2e-6;
  const Solid foot =
      Difference(Cylinder(radius + fillet, fillet).Posed(PoseAt(0.0, 0.0, 0.5 * fillet)),
                 {Torus(radius + fillet, fillet).Posed(PoseAt(0.0, 0.0, fillet))});
  const Solid A = Union({Box({2.0, 2.0, 0.25}).Posed(PoseAt(0.0, 0.0, -0.125)),
                         Cylinder(radius, 0.6).Posed(PoseAt(0.0, 0.0, 0.3)), foot});
  const Eigen::Vector3d along = Eigen::Vector3d(0.2, 0.98, 0.0).normalized();
  const Solid B = Difference(Cylinder(0.6, height), {Cylinder(radius, 1.0)})
                      .Posed(PoseAt(shift * along.x(), shift * along.y(), 0.5 * height - depth));
  // At each height B's wall lies within a disc of A; where in part, its chord there is the area.
  const auto chord = [&](double disc) {
    const double cosine =
        ((disc - radius) * (disc + radius) - shift * shift) / (2.0 * radius * shift);
    return cosine < 1.0 ? 2.0 * radius * std::sqrt(1.0 - cosine * cosine) : 0.0;
  };
  double lateral = chord(radius) * (height - depth - fillet);
  const int steps = 200'000;
  const double reach = 1e-3;
  for (int n = 0; n < steps; ++n) {
    const double below = (n + 0.5) * reach / steps;
    lateral +=
        reach / steps * chord(radius + fillet - std::sqrt((fillet - below) * (fillet + below)));
  }
  for (const bool exchanged : {false, true}) {
    const Solid &first = exchanged ? B : A, &second = exchanged ? A : B;
    const RawMetrics raw = ColumnMethod()
                               .Run(RegionOf(first, second), Intersect(A.Bounds(), B.Bounds()),
                                    {.tolerance = 1e-6, .projection = false})
                               .raw;
    const Eigen::Vector3d a = raw.X_AC.RotationDouble() * raw.area;
    EXPECT_NEAR(std::abs(a.dot(along)), lateral, 1e-5 * a.norm());
  }
}

// A sheet with a round end, pushed along itself into a block: what the normal of the area vector
// crosses is its thickness, not its extent, as a coarse pass sees too little of the area to tell.
TEST(ColumnMethod, ContactAreaOfASheetPushedAlongItself) {
  const double thickness = 1e-3;
  const Solid block = Box({4.0, 4.0, 4.0}).Posed(PoseAt(-2.0, 0.0, 0.0));
  const Solid sheet = Union({Box({1.0, 1.0, thickness}).Posed(PoseAt(0.2, 0.0, 0.0)),
                             Cylinder(0.5, thickness).Posed(PoseAt(-0.3, 0.0, 0.0))});
  for (const bool exchanged : {false, true}) {
    const Solid &first = exchanged ? sheet : block, &second = exchanged ? block : sheet;
    const RawMetrics raw =
        ColumnMethod()
            .Run(RegionOf(first, second), Intersect(block.Bounds(), sheet.Bounds()), {})
            .raw;
    EXPECT_NEAR(raw.area.norm(), thickness, 1e-6 * thickness);
    EXPECT_NEAR(raw.projected_area, thickness, 1e-3 * thickness);
  }
}

}  // namespace
}  // namespace volcontact::testing
