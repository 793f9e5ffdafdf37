// What a query is told to leave out is not there, and nothing else changes.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::left_out_test {
namespace {

struct Scene {
  std::string name;
  Solid A, B;
  bool bounds_are_free;  // they come with the answer
};

// One for each way to answer.
std::vector<Scene> Scenes() {
  const Solid peg =
      Cylinder(0.00995, 0.06).Posed({{1e-4, 2e-5, 0.0}, {0.999199679743744, 0.04, 0.0, 0.0}});
  const Solid plate = Difference(Box({0.1, 0.1, 0.04}), {InfiniteCylinder(0.01)});
  const Solid ball = Sphere(0.3).Posed({{0.4, 0.1, 0.05}});
  const Solid cube = Mesh(BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 3));
  return {{"closed form", Sphere(1.0).Posed({{0.0, 0.0, 0.9}}), HalfSpace(), true},
          {"edges", peg, plate, false},
          {"apart in two", Union({ball, ball.Posed({{-0.9, 0.0, 0.0}})}), Torus(0.5, 0.2), false},
          {"revolution", Torus(0.5, 0.2), Cone(0.6, 1.0).Posed({{0.0, 0.0, -0.3}}), false},
          {"mesh and half-space", cube.Posed({{0.1, 0.2, 0.3}, {0.9, 0.1, 0.3, 0.3}}), HalfSpace(),
           true},
          {"two meshes", cube.Posed({{0.7, 0.6, 0.3}, {0.9, 0.1, 0.3, 0.3}}), cube, true},
          {"mesh and ball", cube, ball, true}};
}

QueryOptions Options(bool bound_volume, bool contact_area) {
  QueryOptions options;
  options.tolerance = 1e-8;
  options.bound_volume = bound_volume;
  options.contact_area = contact_area;
  return options;
}

// As if all had been asked for.
Metrics Restored(Metrics less, const Metrics& all) {
  less.contact_area = all.contact_area;
  less.mean_height = all.mean_height;
  less.volume_bounds = all.volume_bounds;
  less.stats = all.stats;
  less.warnings = all.warnings;
  return less;
}

TEST(LeftOut, NothingElseChanges) {
  for (const Scene& scene : Scenes()) {
    SCOPED_TRACE(scene.name);
    const PreparedPair pair(scene.A, scene.B);
    const Metrics all = pair.Query(Pose(), Pose(), Options(true, true));
    ASSERT_TRUE(all.overlap && all.converged);
    EXPECT_TRUE(all.volume_bounds);
    EXPECT_GT(all.contact_area, 0.0);
    const Metrics no_bounds = pair.Query(Pose(), Pose(), Options(false, true));
    EXPECT_EQ(no_bounds.volume_bounds.has_value(), scene.bounds_are_free);
    EXPECT_EQ(no_bounds.contact_area, all.contact_area);
    EXPECT_TRUE(BitwiseEqual(Restored(no_bounds, all), all));
    const Metrics no_area = pair.Query(Pose(), Pose(), Options(true, false));
    EXPECT_EQ(no_area.volume_bounds, all.volume_bounds);
    EXPECT_TRUE(std::isnan(no_area.contact_area) && std::isnan(no_area.mean_height));
    EXPECT_TRUE(BitwiseEqual(Restored(no_area, all), all));
  }
}

// The fastest of some calls, which other programs disturb least.
TEST(LeftOut, SecondsAreThoseOfTheWholeQuery) {
  using Clock = std::chrono::steady_clock;
  for (const Scene& scene : Scenes()) {
    SCOPED_TRACE(scene.name);
    const PreparedPair pair(scene.A, scene.B);
    double fastest = std::numeric_limits<double>::infinity(), said = 0.0;
    for (int i = 0; i < 20; ++i) {
      const Clock::time_point start = Clock::now();
      const Metrics metrics = pair.Query(Pose(), Pose(), Options(true, true));
      const double passed = std::chrono::duration<double>(Clock::now() - start).count();
      EXPECT_LE(metrics.stats.seconds, passed);
      if (passed < fastest) {
        fastest = passed;
        said = metrics.stats.seconds;
      }
    }
    // Microseconds are for checks of arguments and for copies.
    EXPECT_GT(said, 0.9 * fastest - 2e-6);
  }
}

TEST(LeftOut, ForcesAlongTheAreaVectorNeedNeither) {
  for (const Scene& scene : Scenes()) {
    SCOPED_TRACE(scene.name);
    const PreparedPair pair(scene.A, scene.B);
    const auto geometry = [&](bool all) {
      return GeometryOf(pair.Query(Pose(), Pose(), Options(all, all)),
                        ContactDirection::kAreaVector);
    };
    const ContactGeometry one = geometry(true), other = geometry(false);
    EXPECT_EQ(one.volume, other.volume);
    EXPECT_EQ(one.point_W, other.point_W);
    EXPECT_EQ(one.normal_W, other.normal_W);
    EXPECT_EQ(one.contact_area, other.contact_area);
    EXPECT_EQ(one.gyration_radius, other.gyration_radius);
  }
}

TEST(LeftOut, WhatIsAskedForByNameComesAllTheSame) {
  const Scene edges = Scenes()[1];
  QueryOptions options = Options(false, false);
  options.bracket_width = 0.1;
  const Metrics narrow = PreparedPair(edges.A, edges.B).Query(Pose(), Pose(), options);
  ASSERT_TRUE(narrow.volume_bounds);
  EXPECT_LE((*narrow.volume_bounds)[1] - (*narrow.volume_bounds)[0],
            0.1 * (*narrow.volume_bounds)[1]);
  options.bracket_width = 0.0;
  options.certify = true;
  EXPECT_TRUE(PreparedPair(edges.A, edges.B).Query(Pose(), Pose(), options).volume_bounds);
}

TEST(LeftOut, PatchesAndBatchesLeaveItOut) {
  const Scene edges = Scenes()[1];
  const PreparedPair pair(edges.A, edges.B);
  for (const Metrics& patch : pair.QueryPatches(Pose(), Pose(), Options(false, false))) {
    EXPECT_TRUE(std::isnan(patch.contact_area));
    EXPECT_FALSE(patch.volume_bounds);
  }
  for (const Metrics& one : pair.QueryRelativeBatch(std::vector<Pose>(2), Options(false, false))) {
    EXPECT_TRUE(std::isnan(one.contact_area));
    EXPECT_FALSE(one.volume_bounds);
  }
}

TEST(LeftOut, WithoutOverlapNothingIsUnknown) {
  const PreparedPair pair(Sphere(1.0), Difference(Box({1.0, 1.0, 1.0}), {Sphere(0.3)}));
  const Metrics apart = pair.Query(Pose{{9.0, 0.0, 0.0}}, Pose(), Options(false, false));
  EXPECT_FALSE(apart.overlap);
  EXPECT_TRUE(apart.converged);
  EXPECT_EQ(apart.contact_area, 0.0);
}

}  // namespace
}  // namespace volcontact::testing::left_out_test
