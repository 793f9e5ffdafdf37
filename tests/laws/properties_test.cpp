// Laws that the metrics of every pair of primitives obey.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::properties_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kTolerance = 1e-7;
constexpr std::uint64_t kSeed = 20070901;
constexpr Method kMethods[] = {Method::kAuto, Method::kBoundary};

QueryOptions Options(Method method) {
  QueryOptions options;
  options.method = method;
  options.tolerance = kTolerance;
  return options;
}

// Second moments about the frame's origin.
Matrix3d SecondMoments(const VolumeMetrics& m) {
  const Matrix3d central = 0.5 * m.inertia_W.trace() * Matrix3d::Identity() - m.inertia_W;
  return central + m.volume * m.centroid_W * m.centroid_W.transpose();
}

class Law : public ::testing::TestWithParam<KindPair> {};

TEST_P(Law, RigidMotionsMoveTheMetrics) {
  Random random(kSeed);
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  const PreparedPair prepared(pair.A, pair.B);
  for (const Method method : kMethods) {
    SCOPED_TRACE(MethodName(method));
    const Metrics at_home = prepared.Query(pair.X_WA, pair.X_WB, Options(method));
    for (const double distance : {1.0, 1e3}) {
      const Pose X = random.PoseAt(distance * random.UnitVector());
      const Metrics away =
          prepared.Query(Compose(X, pair.X_WA), Compose(X, pair.X_WB), Options(method));
      // The composed poses are rounded: by some ulps of the distance.
      const double uncertainty = kTolerance + 1e-14 * distance;
      ExpectMetrics(away, TruthFrom(Moved(at_home, X), uncertainty), kTolerance);
      EXPECT_NEAR(away.contact_area, at_home.contact_area, 1e-4 * at_home.contact_area);
      EXPECT_NEAR(away.gyration_radius, at_home.gyration_radius, 1e-4 * at_home.gyration_radius);
    }
  }
}

// Translations that are exact in doubles leave the relative pose as it was, to the last bit.
TEST_P(Law, ExactTranslationsChangeNoBit) {
  const auto on_grid = [](const Vector3d& t) {
    return Vector3d(t.unaryExpr([](double x) { return std::ldexp(std::round(x * 0x1p20), -20); }));
  };
  const Vector3d shift(1024.0, -4096.5, 1e6);
  SolidPair pair = RandomPair(GetParam(), kSeed);
  pair.X_WA.t = on_grid(pair.X_WA.t);
  pair.X_WB.t = on_grid(pair.X_WB.t);
  const PreparedPair prepared(pair.A, pair.B);
  const Metrics at_home = prepared.Query(pair.X_WA, pair.X_WB, Options(Method::kAuto));
  pair.X_WA.t += shift;
  pair.X_WB.t += shift;
  Metrics away = prepared.Query(pair.X_WA, pair.X_WB, Options(Method::kAuto));
  EXPECT_LE((away.centroid_W - shift - at_home.centroid_W).norm(), 1e-9);
  away.centroid_W = at_home.centroid_W;
  EXPECT_TRUE(BitwiseEqual(away, at_home));
}

// V ~ s³, J ~ s⁵, lengths ~ s, areas ~ s².
TEST_P(Law, MetricsScaleWithTheSolids) {
  const auto query = [](const SolidPair& pair, Method method) {
    return PreparedPair(pair.A, pair.B).Query(pair.X_WA, pair.X_WB, Options(method));
  };
  for (const double s : {1e-3, 250.0}) {
    for (const Method method : kMethods) {
      SCOPED_TRACE(::testing::Message() << MethodName(method) << " " << s);
      Metrics expected = query(RandomPair(GetParam(), kSeed), method);
      expected.volume *= s * s * s;
      expected.centroid_W *= s;
      expected.inertia_W *= s * s * s * s * s;
      expected.area_vector_W *= s * s;
      // The dimensions are rounded after scaling.
      ExpectMetrics(query(RandomPair(GetParam(), kSeed, s), method),
                    TruthFrom(expected, kTolerance + 1e-14), kTolerance);
    }
  }
}

// A = (A ∩ B) ∪ (A \ B), for all ten moments.
TEST_P(Law, PartsAddUpToTheWhole) {
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  const bool a_is_bounded = GetParam().a.bounded;
  const Solid whole = a_is_bounded ? pair.PosedA() : pair.PosedB();
  const Solid cut = a_is_bounded ? pair.PosedB() : pair.PosedA();
  const QueryOptions options = Options(Method::kAuto);
  const MassProperties all = ComputeMassProperties(whole, options);
  const Metrics inside = Query(whole, cut, options);
  const Metrics outside = Query(whole, Complement(cut), options);
  const MassProperties rest = ComputeMassProperties(Difference(whole, {cut}), options);
  ASSERT_TRUE(all.converged && inside.converged && outside.converged && rest.converged);
  const double tolerance = 3.0 * kTolerance;
  const double size = std::sqrt(all.inertia_W.trace() / (2.0 * all.volume)) + all.centroid_W.norm();
  EXPECT_NEAR(outside.volume, rest.volume, tolerance * rest.volume);
  EXPECT_NEAR(inside.volume + outside.volume, all.volume, tolerance * all.volume);
  EXPECT_LE((inside.volume * inside.centroid_W + outside.volume * outside.centroid_W -
             all.volume * all.centroid_W)
                .norm(),
            tolerance * all.volume * size);
  EXPECT_LE((SecondMoments(inside) + SecondMoments(outside) - SecondMoments(all)).norm(),
            tolerance * all.volume * size * size);
  // The two parts share the cut, seen from its two sides.
  EXPECT_LE((inside.area_vector_W + outside.area_vector_W).norm(),
            10.0 * tolerance * std::max(inside.area_vector_W.norm(), size * size));
}

class Mass : public ::testing::TestWithParam<PrimitiveKind> {};

// Mass properties of a solid are the metrics of its overlap with a box around it.
TEST_P(Mass, IsTheOverlapWithABoxAround) {
  if (!GetParam().bounded) GTEST_SKIP() << "unbounded";
  Random random(kSeed);
  const Solid solid = GetParam().make(&random, 1.0).Posed(random.PoseAt({0.25, -0.5, 0.125}));
  const MassProperties mass = ComputeMassProperties(solid, Options(Method::kAuto));
  const Metrics overlap = Query(solid, Box({8.0, 9.0, 10.0}), Options(Method::kBoundary));
  ExpectMetrics(overlap, TruthFrom(mass, kTolerance), kTolerance);
  const Matrix3d& axes = mass.principal_axes;
  EXPECT_NEAR(axes.determinant(), 1.0, 1e-12);
  EXPECT_LE((axes * mass.principal_moments.asDiagonal() * axes.transpose() - mass.inertia_W).norm(),
            1e-12 * mass.inertia_W.norm());
  EXPECT_LE(mass.principal_moments[0], mass.principal_moments[1]);
  EXPECT_LE(mass.principal_moments[1], mass.principal_moments[2]);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Law, ::testing::ValuesIn(KindPairs()), KindPairName);

std::string KindName(const ::testing::TestParamInfo<PrimitiveKind>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Mass, ::testing::ValuesIn(PrimitiveKinds()), KindName);

}  // namespace
}  // namespace volcontact::testing::properties_test
