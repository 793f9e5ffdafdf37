// Volume bounds refined to a width that is asked for.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::bracket_width_test {
namespace {

Metrics QueryWith(const Solid& A, const Solid& B, double width, Method method, long max_cells) {
  QueryOptions options;
  options.tolerance = 1e-10;
  options.bracket_width = width;
  options.method = method;
  options.max_cells = max_cells;
  return PreparedPair(A, B).Query(Pose(), Pose(), options);
}

TEST(BracketWidth, IsReachedAboutTheVolume) {
  Random random(41);
  const Solid plate = Difference(Box({1.0, 1.0, 0.4}), {Cylinder(0.2, 1.0)});
  for (const double depth : {1e-1, 1e-3, 1e-6}) {
    SCOPED_TRACE(depth);
    const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Solid A = plate.Posed(X);
    const Solid B = Sphere(0.3).Posed({{0.35, 0.3, 0.5 - depth}, {1.0, 0.0, 0.0, 0.0}}).Posed(X);
    for (const double width : {1e-2, 1e-3, 1e-4}) {
      SCOPED_TRACE(width);
      const Metrics metrics = QueryWith(A, B, width, Method::kAuto, 2'000'000);
      ASSERT_TRUE(metrics.volume_bounds.has_value());
      const auto [lower, upper] = *metrics.volume_bounds;
      EXPECT_LE(upper - lower, width * upper);
      EXPECT_LE(lower, metrics.volume + metrics.volume_error);
      EXPECT_GE(upper, metrics.volume - metrics.volume_error);
      EXPECT_TRUE(metrics.warnings.empty());
    }
  }
}

// Half a ball, which has a closed form; by every method that has bounds.
TEST(BracketWidth, HoldsForEveryMethod) {
  const double r = 0.4, volume = 2.0 / 3.0 * std::numbers::pi * r * r * r;
  for (const Method method :
       {Method::kAuto, Method::kClosedForm, Method::kBoundary, Method::kColumns}) {
    SCOPED_TRACE(MethodName(method));
    const Metrics metrics = QueryWith(HalfSpace(), Sphere(r), 1e-4, method, 2'000'000);
    ASSERT_TRUE(metrics.volume_bounds.has_value());
    const auto [lower, upper] = *metrics.volume_bounds;
    EXPECT_LE(upper - lower, 1e-4 * upper);
    EXPECT_LE(lower, volume);
    EXPECT_GE(upper, volume);
  }
}

TEST(BracketWidth, SaysWhatItDoesNotReach) {
  const Metrics metrics =
      QueryWith(Ellipsoid({0.3, 0.4, 0.5}), Sphere(0.4), 1e-9, Method::kBoundary, 20'000);
  ASSERT_TRUE(metrics.volume_bounds.has_value());
  ASSERT_EQ(metrics.warnings.size(), 1U);
  EXPECT_NE(metrics.warnings[0].find("volume bounds"), std::string::npos);
}

TEST(BracketWidth, OutOfRangeIsRefused) {
  EXPECT_THROW(QueryWith(HalfSpace(), Sphere(1.0), 1.0, Method::kAuto, 1000), InvalidInput);
  EXPECT_THROW(QueryWith(HalfSpace(), Sphere(1.0), -0.1, Method::kAuto, 1000), InvalidInput);
}

}  // namespace
// Sums over edges of planes and quadrics have a narrow bracket, at any tolerance; the truth is a
// sum a thousand times as exact as the best of them, with A and B exchanged.
TEST(BracketWidth, OfPartsWithoutToriIsNarrow) {
  constexpr int kPairs = 60;
  Random random(20261127);
  const auto near = [&](double reach) {
    return random.PoseAt(random.UniformVector(-reach, reach));
  };
  const auto some = [&]() -> Solid {
    switch (static_cast<int>(random.Uniform(0.0, 5.0))) {
      case 0:
        return Box(random.UniformVector(0.4, 1.0)).Posed(near(0.2));
      case 1:
        return Cylinder(random.Uniform(0.15, 0.4), random.Uniform(0.6, 1.2)).Posed(near(0.2));
      case 2:
        return Cone(random.Uniform(0.3, 0.6), random.Uniform(0.6, 1.2)).Posed(near(0.2));
      case 3:
        return Ellipsoid(random.UniformVector(0.3, 0.6)).Posed(near(0.2));
      default:
        return Sphere(random.Uniform(0.3, 0.5)).Posed(near(0.2));
    }
  };
  int narrow = 0, all = 0;
  for (int n = 0; n < kPairs; ++n) {
    SCOPED_TRACE(n);
    const Solid A = n % 2 == 0 ? Union({some(), some()}) : Difference(some(), {some()});
    const Solid B = n % 3 == 0 ? some() : Union({some(), some()});
    QueryOptions options;
    options.method = Method::kBoundary;
    options.bound_distance = options.contact_area = false;
    options.tolerance = 1e-11;
    const Metrics truth = PreparedPair(B, A).Query(Pose(), Pose(), options);
    if (!truth.overlap || !truth.converged) continue;
    for (const double tolerance : {1e-1, 1e-3, 1e-5, 1e-8}) {
      SCOPED_TRACE(tolerance);
      options.tolerance = tolerance;
      const Metrics metrics = PreparedPair(A, B).Query(Pose(), Pose(), options);
      ASSERT_TRUE(metrics.volume_bounds);
      const auto [lower, upper] = *metrics.volume_bounds;
      EXPECT_LE(lower, truth.volume + truth.volume_error);
      EXPECT_GE(upper, truth.volume - truth.volume_error);
      EXPECT_LE(lower, metrics.volume);
      EXPECT_GE(upper, metrics.volume);
      ++all;
      if (upper - lower <= 1e-2 * upper) ++narrow;
    }
  }
  EXPECT_GE(all, 3 * kPairs);
  EXPECT_GE(narrow, 0.95 * all);
}

// With tori only if it is asked for.
TEST(BracketWidth, OfToriIsNarrowOnRequest) {
  constexpr int kPairs = 12;
  Random random(5);
  int count = 0;
  for (int n = 0; n < kPairs; ++n) {
    SCOPED_TRACE(n);
    const Solid ring = Torus(0.5, random.Uniform(0.1, 0.2));
    const Pose X = random.PoseAt(random.UniformVector(-0.4, 0.4));
    const Solid other = n % 2 == 0 ? Box(random.UniformVector(0.4, 1.0)) : Torus(0.4, 0.15);
    QueryOptions options;
    options.tolerance = 1e-10;
    const Metrics truth = PreparedPair(other, ring).Query(X, Pose(), options);
    if (!truth.overlap || !truth.converged) continue;
    for (const double tolerance : {1e-2, 1e-6}) {
      options.tolerance = tolerance;
      options.certify = true;
      const Metrics metrics = PreparedPair(ring, other).Query(Pose(), X, options);
      ASSERT_TRUE(metrics.volume_bounds);
      const auto [lower, upper] = *metrics.volume_bounds;
      EXPECT_LE(lower, truth.volume);
      EXPECT_GE(upper, truth.volume);
      EXPECT_LE(upper - lower, 1e-2 * upper);
      ++count;
    }
  }
  EXPECT_GE(count, kPairs);
}

}  // namespace volcontact::testing::bracket_width_test
