#include "overlap/arcs/arc_method.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "overlap/arcs/sums_testing.h"
#include "overlap/columns/column_method.h"
#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::arc_method_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 13;

ArcMethodResult SumEdgesOf(const Solid& A, const Solid& B, double tolerance) {
  return testing::SumEdgesOf(A, B, {tolerance, 100'000, {}});
}

struct Family {
  std::string name;
  std::function<std::pair<Solid, Solid>(Random*)> make;

  friend void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }
};

Pose Near(Random* random, double distance) {
  return random->PoseAt(random->UniformVector(-distance, distance));
}

Solid SomeBox(Random* random) {
  const Vector3d size = random->UniformVector(0.6, 2.0);
  return Box({size.x(), size.y(), size.z()}).Posed(Near(random, 0.5));
}

Solid SomeEllipsoid(Random* random) {
  return Ellipsoid(random->UniformVector(0.3, 1.0)).Posed(Near(random, 0.4));
}

Solid SomeCylinder(Random* random) {
  return Cylinder(random->Uniform(0.2, 0.7), random->Uniform(0.5, 2.0)).Posed(Near(random, 0.4));
}

std::vector<Family> Families() {
  return {
      {"box_box", [](Random* r) { return std::pair(SomeBox(r), SomeBox(r)); }},
      {"ellipsoid_box", [](Random* r) { return std::pair(SomeEllipsoid(r), SomeBox(r)); }},
      {"ellipsoid_ellipsoid",
       [](Random* r) { return std::pair(SomeEllipsoid(r), SomeEllipsoid(r)); }},
      {"cylinder_cylinder", [](Random* r) { return std::pair(SomeCylinder(r), SomeCylinder(r)); }},
      {"cone_ellipsoid",
       [](Random* r) {
         return std::pair(Cone(r->Uniform(0.3, 1.0), r->Uniform(0.5, 1.5)).Posed(Near(r, 0.4)),
                          SomeEllipsoid(r));
       }},
      {"frustum_box",
       [](Random* r) {
         return std::pair(Cone(r->Uniform(0.4, 1.0), 1.2, r->Uniform(0.1, 0.3)).Posed(Near(r, 0.4)),
                          SomeBox(r));
       }},
      {"drilled_box_cylinder",
       [](Random* r) {
         const Solid bore = Cylinder(r->Uniform(0.1, 0.4), 4.0).Posed(Near(r, 0.3));
         return std::pair(Difference(SomeBox(r), {bore}), SomeCylinder(r));
       }},
      {"unions",
       [](Random* r) {
         return std::pair(Union({SomeCylinder(r), SomeBox(r)}),
                          Union({SomeEllipsoid(r), SomeBox(r)}));
       }},
  };
}

class ArcFamilies : public ::testing::TestWithParam<Family> {};

// Every integral is that of columns, which are found and integrated in another way.
TEST_P(ArcFamilies, AgreeWithColumns) {
  Random random(kSeed);
  int compared = 0;
  for (int n = 0; n < 12; ++n) {
    const auto [A, B] = GetParam().make(&random);
    const ArcMethodResult arcs = SumEdgesOf(A, B, 1e-9);
    ASSERT_EQ(arcs.failure, ArcFailure::kNone) << Describe(arcs.failure) << ", case " << n;
    const ColumnMethodResult columns =
        ColumnMethod().Run(RegionOf(A, B), CommonBox(A, B), {1e-10, 40'000'000, 2, false});
    if (!columns.raw.converged || columns.raw.moments.volume == 0.0) continue;
    ++compared;
    const SumsInA actual(arcs.raw), expected(columns.raw);
    const double volume = expected.moments.volume;
    const Matrix3d second = expected.moments.CentralSecond();
    const double size = std::sqrt(second.trace() / volume);
    EXPECT_NEAR(actual.moments.volume, volume, 3e-9 * volume) << "case " << n;
    EXPECT_LE((actual.moments.Centroid() - expected.moments.Centroid()).norm(), 3e-9 * size) << n;
    EXPECT_LE((actual.moments.CentralSecond() - second).norm(), 1e-8 * second.norm()) << n;
    const double area = volume / size;
    EXPECT_LE((actual.area - expected.area).norm(), 3e-8 * area) << n;
    EXPECT_LE((actual.torque - expected.torque).norm(), 3e-8 * area * (1.0 + size)) << n;
  }
  EXPECT_GE(compared, 6);
}

INSTANTIATE_TEST_SUITE_P(Families, ArcFamilies, ::testing::ValuesIn(Families()),
                         [](const auto& family) { return family.param.name; });

// Two cylinders of one radius cross: their curve has two nodes, where no cell is small enough.
TEST(ArcMethod, EqualCylindersCross) {
  Random random(kSeed + 1);
  const Pose X = random.PoseAt(random.UniformVector(-2.0, 2.0));
  const Pose across = AxisAngle(Vector3d::UnitX(), 0.5 * pi);
  const ArcMethodResult result =
      SumEdgesOf(Cylinder(0.5, 4.0).Posed(X), Cylinder(0.5, 4.0).Posed(across).Posed(X), 1e-9);
  ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
  EXPECT_NEAR(result.raw.moments.volume, 16.0 / 3.0 * 0.125, 1e-9);
}

// The part of an ellipsoid of revolution within a sphere that it pokes out of at both ends.
TEST(ArcMethod, EllipsoidPokesOutAtBothEnds) {
  const double a = 0.2, c = 0.5, r = 0.48;
  // x² + y² + z² = r² meets x² + y² = a²(1 − z²/c²) at ±z.
  const double z = std::sqrt((r * r - a * a) / (1.0 - a * a / (c * c)));
  const double between = 2.0 * pi * a * a * (z - z * z * z / (3.0 * c * c));
  const double cap = pi * (r - z) * (r - z) * (2.0 * r + z) / 3.0;
  Random random(kSeed + 2);
  const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
  const ArcMethodResult result = SumEdgesOf(Ellipsoid({a, a, c}).Posed(X),
                                            Sphere(r).Posed({X.t, {1.0, 0.0, 0.0, 0.0}}), 1e-10);
  ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
  EXPECT_NEAR(result.raw.moments.volume / (between + 2.0 * cap), 1.0, 1e-10);
}

// A solid inside another has no edges of its own to be found by.
TEST(ArcMethod, ClosedFacesWithoutEdges) {
  Random random(kSeed + 3);
  const Solid hollow =
      Difference(Sphere(1.0), {Sphere(0.25).Posed(random.PoseAt({0.1, 0.2, -0.1}))});
  const ArcMethodResult result =
      SumEdgesOf(hollow, Box({4.0, 4.0, 4.0}).Posed(random.PoseAt({0.1, 0.0, 0.0})), 1e-9);
  ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
  EXPECT_NEAR(result.raw.moments.volume, 4.0 / 3.0 * pi * (1.0 - 1.0 / 64.0), 1e-12);
  EXPECT_LE(result.raw.area.norm(), 1e-12);
}

// Quartics that are no tori are not for it, and it says so.
TEST(ArcMethod, LeavesGeneralQuartics) {
  const Solid cushion =
      PolynomialSolid({{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-0.1, {0, 0, 0}}});
  EXPECT_EQ(SumEdgesOf(cushion, Sphere(0.6), 1e-6).failure, ArcFailure::kSurfaces);
}

// The projection of two balls that partly hide each other is the union of two discs.
TEST(ArcMethod, ProjectionOfBallsBehindEachOther) {
  const double r = 0.3, R = 0.4, d = 0.5;
  const Solid balls = Union({Sphere(r), Sphere(R).Posed({{d, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.0}})});
  // All of both lie in the slab, whose normal is along z; a plane under the lower ball is the
  // contact.
  const Solid ground = HalfSpace().Posed({{0.0, 0.0, 5.0}, {1.0, 0.0, 0.0, 0.0}});
  const SurfaceSet set = RegionOf(balls, ground);
  ArcMethod method;
  const ArcMethodResult result = method.Run(set, balls.Bounds(), {1e-9, 100'000});
  ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
  const double alpha = std::acos((d * d + r * r - R * R) / (2.0 * d * r));
  const double beta = std::acos((d * d + R * R - r * r) / (2.0 * d * R));
  const double common =
      r * r * (alpha - 0.5 * std::sin(2.0 * alpha)) + R * R * (beta - 0.5 * std::sin(2.0 * beta));
  const double expected = pi * (r * r + R * R) - common;
  const LocalProblem& problem = method.problem();
  EdgeFinder edges;
  EdgeNodes nodes;
  ASSERT_TRUE(edges.Run(problem, 100'000, 1e-12));
  ASSERT_TRUE(nodes.Run(edges));
  const Vector3d z_C = problem.frame.X_AC.RotationDouble().transpose() * Vector3d::UnitZ();
  const auto area = ProjectedArea().Run(problem, edges, nodes, z_C, 1e-10, 100'000);
  ASSERT_TRUE(area.has_value());
  EXPECT_NEAR(*area, expected, 1e-5 * expected);
}

// After quarter turns the coefficients of a cylinder along its axis are roundings of double-double:
// they must not choose the axis of its form.
TEST(ArcMethod, CylinderAfterQuarterTurns) {
  const double half = 0.70710678118654757, other = 0.70710678118654746;
  const Solid A = Torus(0.5, 0.25)
                      .Posed({{-0.125, 0.0, 0.0}, {0.5, 0.5, 0.5, -0.5}})
                      .Posed({{0.25, -0.125, -0.25}, {half, other, 0.0, 0.0}});
  const Solid cylinder =
      Cylinder(0.375, 0.75).Posed({{0.125, 0.375, 0.0}, {half, other, 0.0, 0.0}});
  const Solid capsule = Capsule(0.375, 0.25).Posed({{0.0, -0.375, 0.0}, {half, 0.0, 0.0, -other}});
  const Solid ball = Sphere(0.5).Posed({{0.0, -0.125, 0.375}, {0.0, other, 0.0, half}});
  const Solid below =
      HalfSpace().Posed({{0.039174829812732917, -0.069671561885132932, -0.1910032238593399},
                         {-0.81967929785457272, 0.0, 0.0, 0.57282270264771695}});
  const Solid B = Intersection({Union({cylinder, capsule, ball}), below});
  const ArcMethodResult arcs = SumEdgesOf(A, B, 1e-8);
  ASSERT_EQ(arcs.failure, ArcFailure::kNone) << Describe(arcs.failure);
  // By columns, in another pose.
  EXPECT_NEAR(arcs.raw.moments.volume, 0.0954096430, 1e-9);
}

}  // namespace
}  // namespace volcontact::testing::arc_method_test
