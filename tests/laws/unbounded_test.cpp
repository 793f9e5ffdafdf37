// Unbounded solids with bounded and unbounded overlaps, extreme sizes, and spent budgets.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kHalf = 0.7071067811865476;
const Pose kGeneric = {{0.25, -0.5, 0.125}, {0.2, 0.4, 0.4, 0.8}};
// Turns that are exact: the quaternions stand for their exact normalisation.
const Pose kQuarterAboutX = {{0.0, 0.0, 0.0}, {kHalf, kHalf, 0.0, 0.0}};
const Pose kQuarterAboutY = {{0.0, 0.0, 0.0}, {kHalf, 0.0, kHalf, 0.0}};

// Expects the volume at several tolerances, as given and turned as a whole.
void ExpectVolume(const Solid& A, const Solid& B, double volume) {
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    for (const bool turned : {false, true}) {
      SCOPED_TRACE(::testing::Message() << tolerance << (turned ? ", turned" : ""));
      const Metrics metrics =
          turned ? QueryWith(A.Posed(kGeneric), B.Posed(kGeneric), Method::kAuto, tolerance)
                 : QueryWith(A, B, Method::kAuto, tolerance);
      ASSERT_TRUE(metrics.overlap);
      EXPECT_TRUE(metrics.converged);
      EXPECT_NEAR(metrics.volume, volume, tolerance * volume);
      ExpectConsistent(metrics);
    }
  }
}

void ExpectUnbounded(const Solid& A, const Solid& B) {
  for (const Method method : {Method::kAuto, Method::kBoundary}) {
    try {
      const Metrics metrics = QueryWith(A, B, method, 1e-6);
      ADD_FAILURE() << "no exception from " << MethodName(method) << "; volume " << metrics.volume;
    } catch (const InvalidInput& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("unbounded"), std::string::npos) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
  }
}

Solid HalfSpaceWithNormal(const Vector3d& n, double offset) {
  const Vector3d unit = n.normalized();
  return HalfSpace().Posed(PoseWithAxis(unit, offset * unit));
}

// Steinmetz' solid of two cylinders under an angle: 16 r³ / (3 sin angle).
TEST(Unbounded, ObliqueCylindersOverlapInABoundedSolid) {
  for (const double angle : {pi / 2.0, 1.0, 0.3}) {
    SCOPED_TRACE(angle);
    const Solid turned = InfiniteCylinder(0.5).Posed(AxisAngle(Vector3d::UnitY(), angle));
    ExpectVolume(InfiniteCylinder(0.5), turned, 16.0 * 0.125 / (3.0 * std::sin(angle)));
  }
}

TEST(Unbounded, SlabsAndHalfSpacesBoundAWedge) {
  const Solid x = Slab(0.5).Posed(kQuarterAboutY);
  const Solid y = Slab(0.75).Posed(kQuarterAboutX);
  ExpectVolume(Intersection({x, y}), Slab(1.25), 0.5 * 0.75 * 1.25);
  ExpectVolume(Slab(1.25), Intersection({x, y}), 0.5 * 0.75 * 1.25);
  // The corner tetrahedron x, y, z >= 0, x + y + z <= 1.
  const Solid corner = Intersection({HalfSpaceWithNormal(-Vector3d::UnitX(), 0.0),
                                     HalfSpaceWithNormal(-Vector3d::UnitY(), 0.0),
                                     HalfSpaceWithNormal(-Vector3d::UnitZ(), 0.0)});
  ExpectVolume(corner, HalfSpaceWithNormal({1.0, 1.0, 1.0}, 1.0 / std::sqrt(3.0)), 1.0 / 6.0);
}

// Below z = h the paraboloid a z >= x² + y² holds π a h²/2.
TEST(Unbounded, ParaboloidCutByAHalfSpace) {
  const double a = 0.5, h = 0.75;
  Eigen::Matrix4d Q = Eigen::Vector4d(1.0, 1.0, 0.0, 0.0).asDiagonal();
  Q(2, 3) = Q(3, 2) = -0.5 * a;
  const Solid paraboloid = Quadric(Q);
  const double volume = 0.5 * pi * a * h * h;
  ExpectVolume(paraboloid, HalfSpace().Posed({{0.0, 0.0, h}, {1.0, 0.0, 0.0, 0.0}}), volume);
  ExpectVolume(HalfSpace().Posed({{0.0, 0.0, h}, {1.0, 0.0, 0.0, 0.0}}), paraboloid, volume);
  ExpectUnbounded(paraboloid, HalfSpaceWithNormal({1.0, 0.0, 0.0}, 0.1));
}

TEST(Unbounded, ConeQuadricCutByAHalfSpace) {
  const Solid nappes = Quadric(Eigen::Vector4d(1.0, 1.0, -0.25, 0.0).asDiagonal());
  const Solid upper = Intersection({nappes, HalfSpaceWithNormal(-Vector3d::UnitZ(), 0.0)});
  ExpectVolume(upper, HalfSpace().Posed({{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.0}}), pi * 0.25 / 3.0);
}

TEST(Unbounded, UnboundedOverlapsAreRefused) {
  const Solid turned = HalfSpace().Posed(kGeneric);
  ExpectUnbounded(HalfSpace(), turned);
  ExpectUnbounded(HalfSpace(), HalfSpace());
  ExpectUnbounded(Slab(0.5), turned);
  ExpectUnbounded(InfiniteCylinder(0.5), Slab(2.0).Posed(kQuarterAboutX));
  ExpectUnbounded(InfiniteCylinder(0.5), InfiniteCylinder(0.5));
  ExpectUnbounded(Complement(Sphere(1.0)), HalfSpace());
  ExpectUnbounded(Complement(Sphere(1.0)), Complement(Sphere(1.0)));
}

TEST(Unbounded, SeparatedHalfSpacesDoNotOverlap) {
  const Solid up = HalfSpace().Posed({{0.0, 0.0, 0.5}, {0.0, 1.0, 0.0, 0.0}});
  const Metrics metrics = Query(HalfSpace(), up);
  ExpectNoOverlap(metrics);
  EXPECT_LE(metrics.distance.value(), 0.5);
}

TEST(Unbounded, MassOfAnUnboundedSolidIsRefused) {
  int count = 0;
  for (const PrimitiveKind& kind : PrimitiveKinds()) {
    if (kind.bounded) continue;
    ++count;
    Random random(3);
    EXPECT_THROW(ComputeMassProperties(kind.make(&random, 1.0)), InvalidInput) << kind.name;
  }
  EXPECT_GE(count, 2);
}

TEST(ExtremeScales, MicrometresAndThousandsOfKilometres) {
  for (const double scale : {1e-6, 1e6}) {
    for (const Method method : {Method::kAuto, Method::kBoundary}) {
      SCOPED_TRACE(::testing::Message() << scale << " " << MethodName(method));
      const double depth = 1e-3, radius = 0.5;
      const Pose ball = {scale * Vector3d(0.1, 0.2, radius - depth), {1.0, 0.0, 0.0, 0.0}};
      const double depth_given = scale * radius - ball.t.z();
      const double volume = pi * depth_given * depth_given * (scale * radius - depth_given / 3.0);
      const Metrics cap = QueryWith(HalfSpace(), Sphere(scale * radius).Posed(ball), method, 1e-9);
      EXPECT_NEAR(cap.volume, volume, 2e-9 * volume);
      ExpectConsistent(cap);
    }
    for (const PrimitiveKind& kind : PrimitiveKinds()) {
      SCOPED_TRACE(::testing::Message() << scale << " " << kind.name);
      const KindPair kinds = {kind, PrimitiveKinds()[0]};
      const SolidPair small = RandomPair(kinds, 5, scale), unit = RandomPair(kinds, 5);
      const Metrics expected = QueryWith(unit.PosedA(), unit.PosedB(), Method::kBoundary, 1e-7);
      const Metrics metrics = QueryWith(small.PosedA(), small.PosedB(), Method::kBoundary, 1e-7);
      EXPECT_TRUE(metrics.converged);
      EXPECT_NEAR(metrics.volume / (scale * scale * scale), expected.volume,
                  2e-7 * expected.volume);
    }
  }
}

// A tiny solid against a huge one.
TEST(ExtremeScales, DustOnAPlanet) {
  const double planet = 0x1p22, dust = 0x1p-20;  // some 4000 km and 1 µm
  const Pose up = {{0.0, 0.0, planet}, {1.0, 0.0, 0.0, 0.0}};
  const double volume = 2.0 / 3.0 * pi * dust * dust * dust;
  for (const Method method : {Method::kAuto, Method::kBoundary, Method::kColumns}) {
    SCOPED_TRACE(MethodName(method));
    const Metrics metrics = QueryWith(Sphere(planet), Sphere(dust).Posed(up), method, 1e-8);
    // The planet's curvature takes 3/8·dust/planet of it.
    EXPECT_NEAR(metrics.volume, volume, 1.1e-8 * volume);
    ExpectConsistent(metrics);
  }
}

class Budget : public ::testing::TestWithParam<KindPair> {};

// An effort too small for the tolerance is reported, never thrown.
TEST_P(Budget, SpentIsReported) {
  const SolidPair pair = RandomPair(GetParam(), 17);
  const PreparedPair prepared(pair.A, pair.B);
  QueryOptions options;
  options.method = Method::kBoundary;
  options.tolerance = 1e-8;
  const Metrics truth = prepared.Query(pair.X_WA, pair.X_WB, options);
  options.tolerance = 1e-12;
  for (const long max_cells : {1L, 10L, 100L}) {
    SCOPED_TRACE(max_cells);
    options.max_cells = max_cells;
    Metrics metrics;
    ASSERT_NO_THROW(metrics = prepared.Query(pair.X_WA, pair.X_WB, options));
    if (max_cells == 1) {
      // Edges along whole curves take no cells.
      EXPECT_TRUE(!metrics.converged || metrics.stats.edges > 0);
    }
    ASSERT_TRUE(metrics.volume_bounds);
    EXPECT_LE((*metrics.volume_bounds)[0], truth.volume * (1.0 + 1e-8));
    EXPECT_GE((*metrics.volume_bounds)[1], truth.volume * (1.0 - 1e-8));
    EXPECT_LE(std::abs(metrics.volume - truth.volume),
              10.0 * metrics.volume_error + 1e-8 * truth.volume);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Budget, ::testing::ValuesIn(KindPairs()), KindPairName);

}  // namespace
}  // namespace volcontact::testing
