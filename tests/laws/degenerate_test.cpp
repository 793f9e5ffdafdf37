// Overlaps in special position: tangent, flush, identical, nested, empty, unbounded, huge and tiny.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::degenerate_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr Method kMethods[] = {Method::kAuto, Method::kBoundary, Method::kColumns};
const Pose kTurned = {{0.25, -0.5, 0.125}, {0.2, 0.4, 0.4, 0.8}};

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

// Calls `check(metrics, tolerance)` for every method that applies, as given and turned as a whole.
template <typename Check>
void ForAllMethods(const Solid& A, const Solid& B, const Check& check) {
  for (const Method method : kMethods) {
    for (const bool turned : {false, true}) {
      SCOPED_TRACE(MethodName(method) + (turned ? ", turned" : ""));
      const double tolerance = 1e-7;
      const Metrics metrics = turned
                                  ? QueryWith(A.Posed(kTurned), B.Posed(kTurned), method, tolerance)
                                  : QueryWith(A, B, method, tolerance);
      // Where surfaces coincide columns may fall short, and say so.
      if (method == Method::kColumns && !metrics.converged) continue;
      check(metrics, tolerance);
    }
  }
}

void ExpectTouching(const char* what, const Solid& A, const Solid& B) {
  SCOPED_TRACE(what);
  ForAllMethods(A, B, [](const Metrics& metrics, double) {
    ExpectNoOverlap(metrics);
    EXPECT_EQ(metrics.distance, 0.0) << "a lower bound of a distance that is 0";
  });
}

void ExpectVolume(const Solid& A, const Solid& B, double volume) {
  SCOPED_TRACE(volume);
  ForAllMethods(A, B, [&](const Metrics& metrics, double tolerance) {
    ASSERT_TRUE(metrics.overlap);
    EXPECT_NEAR(metrics.volume, volume, tolerance * volume);
    ASSERT_TRUE(metrics.volume_bounds);
    if (metrics.volume_bounds) {
      EXPECT_LE((*metrics.volume_bounds)[0], volume * (1.0 + 1e-14));
      EXPECT_GE((*metrics.volume_bounds)[1], volume * (1.0 - 1e-14));
    }
    EXPECT_TRUE(metrics.converged);
    ExpectConsistent(metrics);
  });
}

TEST(Degenerate, TangentSolidsDoNotOverlap) {
  ExpectTouching("spheres", Sphere(0.5), Sphere(0.75).Posed(At(0.0, 1.25, 0.0)));
  ExpectTouching("sphere on plane", HalfSpace(), Sphere(0.5).Posed(At(0.1, 0.2, 0.5)));
  ExpectTouching("torus on plane", HalfSpace(), Torus(0.75, 0.25).Posed(At(0.0, 0.0, 0.25)));
  ExpectTouching("ellipsoid on plane", HalfSpace(),
                 Ellipsoid({0.5, 0.25, 0.75}).Posed(At(0.0, 0.0, 0.75)));
  ExpectTouching("cone on its apex", HalfSpace(),
                 Cone(0.5, 1.0).Posed({{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0, 0.0}}));
  ExpectTouching("sphere on box", Box({1.0, 1.0, 1.0}), Sphere(0.5).Posed(At(0.0, 0.25, 1.0)));
  ExpectTouching("capsules along a line", Capsule(0.25, 1.0),
                 Capsule(0.5, 0.5).Posed(At(0.75, 0.0, 0.0)));
  ExpectTouching("sphere at an infinite cylinder", InfiniteCylinder(0.25),
                 Sphere(0.5).Posed(At(0.0, 0.75, 0.3)));
}

TEST(Degenerate, FlushFacesDoNotOverlap) {
  const Solid box = Box({1.0, 0.5, 2.0});
  ExpectTouching("box beside box", box, Box({0.5, 1.0, 1.0}).Posed(At(0.75, 0.1, 0.3)));
  ExpectTouching("box under plane", box, HalfSpace().Posed(At(0.0, 0.0, -1.0)));
  ExpectTouching("cylinder on cylinder", Cylinder(0.5, 1.0),
                 Cylinder(0.25, 2.0).Posed(At(0.1, 0.0, 1.5)));
  ExpectTouching("cone on box", Cone(0.5, 1.0), Box({1.0, 1.0, 1.0}).Posed(At(0.0, 0.0, -0.5)));
  // A peg in a hole of its own size, and a step that fits a corner.
  ExpectTouching("peg in a hole", Difference(Box({2.0, 2.0, 1.0}), {InfiniteCylinder(0.5)}),
                 Cylinder(0.5, 3.0));
  ExpectTouching("cube in a step",
                 Difference(Box({2.0, 2.0, 2.0}), {Box({1.0, 2.0, 1.0}).Posed(At(0.5, 0.0, 0.5))}),
                 Box({1.0, 1.0, 1.0}).Posed(At(0.5, 0.0, 0.5)));
}

// The faces of the bolt and its bracket coincide but for the roundings of two placements.
TEST(Degenerate, PartsThatFitOneAnotherDoNotOverlap) {
  const double h = std::sqrt(0.5);
  const Solid bolt = Union({Cylinder(0.0075, 0.003).Posed(At(0.0, 0.0, 0.0015)),
                            Cylinder(0.005, 0.034).Posed(At(0.0, 0.0, 0.02))});
  const auto hole = [h](double x, double z) {
    return InfiniteCylinder(0.005).Posed({{x, 0.0, z}, {h, h, 0.0, 0.0}});
  };
  const Solid bracket = Difference(Box({0.05, 0.01, 0.1}).Posed(At(0.025, 0.005, 0.05)),
                                   {hole(0.02, 0.05), hole(0.0425, 0.037)});
  const Solid ball = Union({Sphere(0.013).Posed(At(0.0, 0.0, -0.009)), Cylinder(0.001, 0.05)});
  const Solid plate = bracket.Posed({{0.175, 0.025, 0.02}, {0.0, 0.0, h, h}});
  for (const Solid& part : {bolt, ball}) {
    const Solid placed = part.Posed({{0.155, 0.075, 0.033}, {0.0, h, h, 0.0}});
    for (const auto& [A, B] : {std::pair(plate, placed), std::pair(placed, plate)}) {
      const Metrics metrics = PreparedPair(A, B).Query(Pose(), Pose());
      ExpectNoOverlap(metrics);
      EXPECT_FALSE(metrics.undecided);
      EXPECT_LE(metrics.stats.cells, 1000);
    }
  }
}

TEST(Degenerate, SharedEdgesAndVerticesDoNotOverlap) {
  const Solid cube = Box({1.0, 1.0, 1.0});
  ExpectTouching("edges", cube, cube.Posed(At(1.0, 1.0, 0.25)));
  ExpectTouching("vertices", cube, cube.Posed(At(1.0, 1.0, 1.0)));
  ExpectTouching("parallel edges", cube, cube.Posed(At(1.0, -1.0, 0.0)));
  ExpectTouching("apexes", Cone(0.5, 1.0),
                 Cone(0.5, 1.0).Posed({{0.0, 0.0, 2.0}, {0.0, 1.0, 0.0, 0.0}}));
}

TEST(Degenerate, SolidsAndTheirComplementsDoNotOverlap) {
  for (const PrimitiveKind& kind : PrimitiveKinds()) {
    SCOPED_TRACE(kind.name);
    Random random(7);
    const Solid solid = kind.make(&random, 1.0);
    if (!kind.bounded) continue;
    const Metrics metrics = Query(solid.Posed(kTurned), Complement(solid).Posed(kTurned));
    ExpectNoOverlap(metrics);
  }
}

TEST(Degenerate, IdenticalSolidsOverlapWhole) {
  for (const PrimitiveKind& kind : PrimitiveKinds()) {
    if (!kind.bounded) continue;
    SCOPED_TRACE(kind.name);
    Random random(11);
    const Solid solid = kind.make(&random, 1.0);
    QueryOptions options;
    options.tolerance = 1e-8;
    ExpectVolume(solid, solid, ComputeMassProperties(solid, options).volume);
  }
}

// The area vector of a nested pair is zero, or the outer boundary would be open.
TEST(Degenerate, NestedSolidsOverlapInTheInnerOne) {
  const Solid inner = Ellipsoid({0.25, 0.125, 0.375});
  const double volume = 4.0 / 3.0 * pi * 0.25 * 0.125 * 0.375;
  for (const Solid& outer :
       {Sphere(1.0), Box({2.0, 2.0, 2.0}), Torus(0.5, 0.45).Posed(At(0.5, 0, 0)),
        Cylinder(0.5, 1.0), Slab(1.0), HalfSpace().Posed(At(0.0, 0.0, 1.0))}) {
    ExpectVolume(outer, inner, volume);
    ExpectVolume(inner, outer, volume);
    const Metrics metrics = QueryWith(outer, inner, Method::kBoundary, 1e-7);
    EXPECT_LE(metrics.area_vector_W.norm(), 1e-6 * std::pow(volume, 2.0 / 3.0));
  }
}

TEST(Degenerate, CoincidentFacesInsideAnOverlapCountOnce) {
  ExpectVolume(Box({1.0, 1.0, 1.0}), Box({1.0, 1.0, 1.0}).Posed(At(0.25, 0.0, 0.0)), 0.75);
  ExpectVolume(Cylinder(0.5, 1.0), Cylinder(0.5, 1.0).Posed(At(0.0, 0.0, 0.25)), 0.1875 * pi);
  ExpectVolume(Box({1.0, 1.0, 2.0}), HalfSpace(), 1.0);
}

// A seam between touching parts of a union is no surface.
TEST(Degenerate, UnionsOfTouchingBoxesAreWhole) {
  const Solid cube = Box({1.0, 1.0, 1.0});
  const Solid row = Union({cube.Posed(At(-0.5, 0.0, 0.0)), cube.Posed(At(0.5, 0.0, 0.0))});
  ExpectVolume(row, cube, 1.0);
  ExpectVolume(row, Sphere(0.5), pi / 6.0);
  ExpectVolume(row, HalfSpace().Posed(At(0.0, 0.0, -0.25)), 0.5);
  const Metrics split =
      QueryWith(row, HalfSpace().Posed(At(0.0, 0.0, -0.25)), Method::kBoundary, 1e-8);
  const Metrics whole = QueryWith(Box({2.0, 1.0, 1.0}), HalfSpace().Posed(At(0.0, 0.0, -0.25)),
                                  Method::kBoundary, 1e-8);
  ExpectMetrics(split, TruthFrom(whole, 1e-8), 1e-8);
  EXPECT_NEAR(split.contact_area, whole.contact_area, 1e-6);
}

TEST(Degenerate, EmptySolidsDoNotOverlap) {
  const Solid nothing = Intersection({Sphere(0.5), Sphere(0.5).Posed(At(2.0, 0.0, 0.0))});
  ForAllMethods(Sphere(1.0), nothing, [](const Metrics& metrics, double) {
    EXPECT_FALSE(metrics.overlap);
    EXPECT_EQ(metrics.volume, 0.0);
    EXPECT_TRUE(metrics.converged);
  });
  EXPECT_EQ(Query(Sphere(1.0), Solid()).volume, 0.0);
  EXPECT_EQ(Query(Solid(), HalfSpace()).volume, 0.0);
}

TEST(Degenerate, SeparatedSolidsHaveNoVolume) {
  ForAllMethods(Box({1.0, 1.0, 1.0}), Sphere(0.5).Posed(At(0.0, 2.0, 0.0)),
                [](const Metrics& metrics, double) {
                  ExpectNoOverlap(metrics);
                  EXPECT_GE(metrics.distance.value(), 0.9);
                  EXPECT_LE(metrics.distance.value(), 1.0);
                });
  ForAllMethods(Torus(1.0, 0.25), Sphere(0.5), [](const Metrics& metrics, double) {
    ExpectNoOverlap(metrics);
    EXPECT_GE(metrics.distance.value(), 0.9 * 0.25);
    EXPECT_LE(metrics.distance.value(), 0.25);
  });
}

// A thickness of an ulp of the coordinates is still an overlap.
TEST(Degenerate, BarelyOverlappingBoxesOverlap) {
  const double depth = 0x1p-52;
  ExpectVolume(Box({1.0, 1.0, 1.0}), Box({1.0, 1.0, 1.0}).Posed(At(0.0, 0.0, 1.0 - depth)), depth);
}

}  // namespace
}  // namespace volcontact::testing::degenerate_test
