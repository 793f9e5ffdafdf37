// Balls on shafts and in bores, against sums over edges, limits, and the pair's other order.
#include <cmath>
#include <numbers>
#include <vector>

#include "overlap/closed_forms/closed_form_testing.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

// A ball's centre in a cylinder's frame: so deep in the wall, from outside or from inside.
Vector3d CenterAt(double R, double r, double depth, bool in_bore, Random* random) {
  const double distance = in_bore ? R - r + depth : R + r - depth;
  const double angle = random->Uniform(0.0, 2.0 * std::numbers::pi);
  return {distance * std::cos(angle), distance * std::sin(angle), random->Uniform(-0.5, 0.5)};
}

TEST(BallCylinder, AgreesWithSumsOverEdges) {
  Random random(17);
  int by_formula = 0;
  for (int k = 0; k < 60; ++k) {
    const bool in_bore = k % 2 == 0;
    const double R = std::pow(10.0, random.Uniform(-1.0, 1.0));
    const double r =
        in_bore ? R * random.Uniform(0.05, 0.97) : std::pow(10.0, random.Uniform(-1, 1));
    const double depth = std::min(r, R) * std::pow(10.0, random.Uniform(-6.0, -0.6));
    const double height = 4.0 * (R + r + 1.0);
    const Solid wall = in_bore ? Complement(Cylinder(R, height)) : Cylinder(R, height);
    const Solid ball = Sphere(r);
    const Pose X_WC = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose X_WB{X_WC.t + X_WC.Rotation() * CenterAt(R, r, depth, in_bore, &random),
                    random.PoseAt(Vector3d::Zero()).q};
    QueryOptions options;
    options.tolerance = 1e-10;
    const Metrics metrics = PreparedPair(ball, wall).Query(X_WB, X_WC, options);
    if (metrics.method != Method::kClosedForm) continue;
    ++by_formula;
    options.method = Method::kBoundary;
    const Metrics edges = PreparedPair(ball, wall).Query(X_WB, X_WC, options);
    // Edges see depths beside coordinates of doubles.
    const double allowed = 2e-9 + 1e-14 * (R + r + 1.0) / depth;
    EXPECT_NEAR(metrics.volume, edges.volume, allowed * edges.volume) << k;
    EXPECT_LE((metrics.centroid_W - edges.centroid_W).norm(), allowed * std::sqrt(r * depth)) << k;
    EXPECT_LE((metrics.inertia_W - edges.inertia_W).norm(), allowed * edges.inertia_W.norm()) << k;
    EXPECT_LE((metrics.area_vector_W - edges.area_vector_W).norm(),
              10.0 * allowed * edges.area_vector_W.norm())
        << k;
    EXPECT_NEAR(metrics.contact_area, edges.contact_area, 1e-7 * edges.contact_area) << k;
    EXPECT_LT((*metrics.volume_bounds)[0], edges.volume * (1.0 + allowed)) << k;
    EXPECT_GT((*metrics.volume_bounds)[1], edges.volume * (1.0 - allowed)) << k;
  }
  EXPECT_GE(by_formula, 40);
}

// At depth δ → 0 the gap is a paraboloid with the curvatures 1/r ± 1/R and 1/r: V = π δ² / √(κ κ').
TEST(BallCylinder, TendsToTheParaboloid) {
  for (const bool in_bore : {true, false}) {
    const double R = 0.75, r = 0.25;
    for (const double depth : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const double a = in_bore ? R - r + depth : R + r - depth;
      const Solid wall = in_bore ? Complement(Cylinder(R, 4.0)) : Cylinder(R, 4.0);
      const auto overlap = Evaluate(Sphere(r), wall, Rigid(Pose{{-a, 0.0, 0.5}, {1, 0, 0, 0}}));
      ASSERT_TRUE(overlap);
      const double exact_depth = in_bore ? a + r - R : R + r - a;
      const double curvatures = (1.0 / r + (in_bore ? -1.0 : 1.0) / R) / r;
      const double expected = std::numbers::pi * exact_depth * exact_depth / std::sqrt(curvatures);
      EXPECT_NEAR(overlap->volume, expected, 4.0 * depth / r * expected) << depth;
    }
  }
}

TEST(BallCylinder, LeavesEndsAndWideContactsToOthers) {
  const Solid shaft = Cylinder(0.5, 2.0), bore = Complement(shaft);
  const auto at = [](double x, double z) { return Rigid(Pose{{x, 0.0, z}, {1, 0, 0, 0}}); };
  EXPECT_TRUE(Evaluate(shaft, Sphere(0.2), at(0.65, 0.8)));
  EXPECT_FALSE(Evaluate(shaft, Sphere(0.2), at(0.65, 0.95)));
  EXPECT_FALSE(Evaluate(shaft, Sphere(0.2), at(0.5, 0.0)));
  EXPECT_FALSE(Evaluate(shaft, Sphere(0.2), at(0.0, 0.0)));
  EXPECT_TRUE(Evaluate(bore, Sphere(0.2), at(0.31, 0.7)));
  EXPECT_FALSE(Evaluate(bore, Sphere(0.2), at(0.31, 0.85)));
  EXPECT_FALSE(Evaluate(bore, Sphere(0.2), at(0.6, 0.0)));
  // Apart: a bound of the distance, to the nearer of wall and end.
  const auto clear = Evaluate(bore, Sphere(0.2), at(0.1, 0.0));
  ASSERT_TRUE(clear);
  EXPECT_NEAR(clear->distance, 0.2, 1e-15);
  EXPECT_NEAR(Evaluate(bore, Sphere(0.2), at(0.1, 0.7))->distance, 0.1, 1e-15);
  EXPECT_NEAR(Evaluate(shaft, Sphere(0.2), at(0.9, 0.5))->distance, 0.2, 1e-15);
}

}  // namespace
}  // namespace volcontact::testing
