// The connected components of overlaps without meshes, against what they are made of.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::implicit_patches_test {
namespace {

using Eigen::Vector3d;

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

// The patches of A and B in a turned world, by volume, which add up to the whole; the same number
// with the bodies swapped.
std::vector<Metrics> Patches(const Solid& A, const Solid& B, double tolerance = 1e-9) {
  const Pose X_W = AxisAngle(Vector3d(0.3, -1.0, 0.5).normalized(), 1.1, {0.2, -0.4, 0.3});
  const QueryOptions options{.tolerance = tolerance};
  const PreparedPair pair(A, B);
  const std::vector<Metrics> patches = pair.QueryPatches(X_W, X_W, options);
  const Metrics whole = pair.Query(X_W, X_W, options);
  EXPECT_EQ(patches.empty(), !whole.overlap);
  double volume = 0.0;
  Vector3d first = Vector3d::Zero(), area = Vector3d::Zero();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    EXPECT_TRUE(patches[i].converged);
    if (i > 0) {
      EXPECT_LE(patches[i].volume, patches[i - 1].volume);
    }
    volume += patches[i].volume;
    first += patches[i].volume * patches[i].centroid_W;
    area += patches[i].area_vector_W;
  }
  EXPECT_NEAR(volume, whole.volume, 4.0 * tolerance * whole.volume);
  EXPECT_LE((first - whole.volume * whole.centroid_W).norm(), 10.0 * tolerance * whole.volume);
  EXPECT_LE((area - whole.area_vector_W).norm(), 1e-6 * (1e-6 + area.norm()));
  EXPECT_EQ(PreparedPair(B, A).QueryPatches(X_W, X_W, options).size(), patches.size());
  return patches;
}

// ∫ of a ball's cap of this depth.
double Cap(double radius, double depth) { return M_PI * depth * depth * (radius - depth / 3.0); }

TEST(ImplicitPatches, EachBallOfAUnionIsOne) {
  const Solid balls =
      Union({Sphere(0.1).Posed(At({0, 0, 0.09})), Sphere(0.1).Posed(At({0.15, 0, 0.0901})),
             Sphere(0.05).Posed(At({0, 0.4, 0.0499}))});
  const std::vector<Metrics> patches = Patches(balls, HalfSpace());
  ASSERT_EQ(patches.size(), 3u);
  EXPECT_NEAR(patches[0].volume, Cap(0.1, 0.01), 1e-9 * patches[0].volume);
  EXPECT_NEAR(patches[1].volume, Cap(0.1, 0.0099), 1e-9 * patches[1].volume);
  EXPECT_NEAR(patches[2].volume, Cap(0.05, 0.0001), 1e-9 * patches[2].volume);
}

// Cells never prove that there is nothing where faces meet that nowhere overlap: such a place is no
// patch where the others are the whole.
TEST(ImplicitPatches, WhatIsUndecidedIsNoneBesideTheWhole) {
  const double thick = 0.13659329393449868, hole = 0.07594776924921498, sunk = 0.0398375806190716;
  const double shank = 0.07609160280249304;
  const Solid plates =
      Union({Box({1.0, 0.8, thick}), Box({0.8, 0.6, thick}).Posed(At({0, 0, thick}))});
  const Vector3d axis(-0.25, -0.2, 0.0);
  const Solid sinks = Union(
      {Cylinder(hole, 3.0).Posed(At(axis)),
       Cone(hole, sunk, hole + sunk).Posed(At(axis + Vector3d(0.0, 0.0, 0.1650523602826764)))});
  const Solid pin =
      Union({Cylinder(shank, 3.0 * thick),
             Cone(shank, sunk, shank + sunk).Posed(At({0.0, 0.0, 0.1650523602826764})),
             Cylinder(0.15052095482877256, 0.05).Posed(At({0.0, 0.0, 0.229889940901748}))})
          .Posed(At({-0.25, -0.2 + 0.000267330072727565, 0.06045844571791330}));
  const PreparedPair pair(pin, Difference(plates, {sinks}));
  const QueryOptions options{.tolerance = 1e-6};
  const Metrics whole = pair.Query({}, {}, options);
  EXPECT_TRUE(whole.converged);
  double volume = 0.0;
  for (const Metrics& patch : pair.QueryPatches({}, {}, options)) {
    EXPECT_TRUE(patch.converged) << patch.volume;
    volume += patch.volume;
  }
  EXPECT_NEAR(volume, whole.volume, 4e-6 * whole.volume);
}

// A table of four legs, less and less deep, at any tilt.
TEST(ImplicitPatches, EachLegOfATableIsOne) {
  std::vector<Solid> parts = {Box({1.0, 0.7, 0.05}).Posed(At({0, 0, 0.6}))};
  for (const double x : {-0.4, 0.4}) {
    for (const double y : {-0.3, 0.3})
      parts.push_back(Box({0.06, 0.06, 0.6}).Posed(At({x, y, 0.3})));
  }
  const Solid table = Union(parts);
  for (const double depth : {1e-2, 1e-4, 1e-7}) {
    for (const double tilt : {0.0, 0.3, 0.9}) {
      SCOPED_TRACE(::testing::Message() << depth << " " << tilt);
      const Vector3d axis = Vector3d(1.0, 0.4, 0.0).normalized();
      const Solid placed =
          table.Posed(At({0, 0, -depth})).Posed(AxisAngle(axis, tilt * depth, {0.1, 0.2, 0}));
      const std::vector<Metrics> patches = Patches(placed, HalfSpace());
      ASSERT_EQ(patches.size(), 4u);
      for (const Metrics& patch : patches) {
        EXPECT_NEAR(patch.contact_area, 0.06 * 0.06, 2e-3 * 0.06 * 0.06);
      }
    }
  }
}

// A ring has one patch, and a ring cut by a slot beside the axis two.
TEST(ImplicitPatches, WhatHangsTogetherIsOne) {
  const Solid ring = Difference(Cylinder(0.1, 0.05), {Cylinder(0.08, 0.1)}).Posed(At({0, 0, 0.02}));
  EXPECT_EQ(Patches(ring, HalfSpace()).size(), 1u);
  const Solid cut = Difference(ring, {Box({0.3, 0.02, 0.3}).Posed(At({0, 0.03, 0}))});
  const std::vector<Metrics> halves = Patches(cut, HalfSpace());
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_GT(halves[0].volume, 1.2 * halves[1].volume);
  EXPECT_EQ(Patches(Torus(0.2, 0.05).Posed(At({0, 0, 0.045})), HalfSpace(), 1e-7).size(), 1u);
}

// What no plane tells apart: a ball in a ring, cut out by a box around it.
TEST(ImplicitPatches, ABallInARingIsOneOfTwo) {
  const Solid ring = Difference(Cylinder(0.1, 0.05), {Cylinder(0.08, 0.1)}).Posed(At({0, 0, 0.02}));
  const Solid both = Union({ring, Sphere(0.05).Posed(At({0.01, 0, 0.048}))});
  const std::vector<Metrics> patches = Patches(both, HalfSpace());
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_NEAR(patches[0].volume, M_PI * (0.01 - 0.0064) * 0.005, 1e-9 * patches[0].volume);
  EXPECT_NEAR(patches[1].volume, Cap(0.05, 0.002), 1e-9 * patches[1].volume);
}

// A torus stood upright into a plate, deep enough to come out: two holes' worth.
TEST(ImplicitPatches, ATorusThroughAPlateIsTwo) {
  const Solid torus = Torus(0.2, 0.05).Posed(AxisAngle({1, 0, 0}, 0.5 * M_PI));
  const Solid plate = Box({1.0, 1.0, 0.02});
  const std::vector<Metrics> patches = Patches(torus, plate, 1e-7);
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_NEAR(patches[0].volume, patches[1].volume, 1e-6 * patches[0].volume);
}

// Balls at random over a plane: patches are the components of the graph of those that overlap below
// it. Only clear cases count, with gaps and joints of some size.
TEST(ImplicitPatches, RandomBallsFallIntoTheirClusters) {
  Random random(41);
  int most = 0;
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<Solid> balls;
    std::vector<Vector3d> discs;  // centre and radius of each on the plane
    while (balls.size() < 8) {
      const double depth = random.Uniform(0.01, 0.03), r = 0.1;
      const Vector3d c(random.Uniform(-0.4, 0.4), random.Uniform(-0.4, 0.4), r - depth);
      const double rim = std::sqrt(depth * (2.0 * r - depth));
      const bool clear = std::none_of(discs.begin(), discs.end(), [&](const Vector3d& d) {
        const double apart = std::hypot(c.x() - d.x(), c.y() - d.y()) - rim - d.z();
        return apart > -0.02 && apart < 0.02;
      });
      if (!clear) continue;
      balls.push_back(Sphere(r).Posed(At(c)));
      discs.emplace_back(c.x(), c.y(), rim);
    }
    std::vector<int> cluster(discs.size());
    for (std::size_t i = 0; i < discs.size(); ++i) cluster[i] = static_cast<int>(i);
    for (std::size_t sweep = 0; sweep < discs.size(); ++sweep) {
      for (std::size_t i = 0; i < discs.size(); ++i) {
        for (std::size_t j = 0; j < discs.size(); ++j) {
          const double gap = (discs[i] - discs[j]).head<2>().norm() - discs[i].z() - discs[j].z();
          if (gap < 0.0) cluster[i] = cluster[j] = std::min(cluster[i], cluster[j]);
        }
      }
    }
    std::sort(cluster.begin(), cluster.end());
    const auto clusters = std::unique(cluster.begin(), cluster.end()) - cluster.begin();
    EXPECT_EQ(static_cast<std::ptrdiff_t>(Patches(Union(balls), HalfSpace(), 1e-7).size()),
              clusters)
        << trial;
    most = std::max(most, static_cast<int>(clusters));
  }
  EXPECT_GE(most, 4);
}

TEST(ImplicitPatches, ConvexPairsAndMissesAreAsQueried) {
  const PreparedPair pair(Sphere(0.1), Box({1, 1, 1}));
  const Metrics whole = pair.Query(At({0, 0, 0.59}), Pose());
  const std::vector<Metrics> patches = pair.QueryPatches(At({0, 0, 0.59}), Pose());
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].volume, whole.volume);
  EXPECT_EQ(patches[0].method, whole.method);
  const Solid two = Union({Sphere(0.1), Sphere(0.1).Posed(At({1, 0, 0}))});
  EXPECT_TRUE(PreparedPair(two, HalfSpace()).QueryPatches(At({0, 0, 0.3}), Pose()).empty());
  // One of the two is there: the query's own answer.
  const std::vector<Metrics> one =
      PreparedPair(two, Sphere(0.1)).QueryPatches(Pose(), At({1.15, 0, 0.01}));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].volume,
            PreparedPair(two, Sphere(0.1)).Query(Pose(), At({1.15, 0, 0.01})).volume);
}

}  // namespace
}  // namespace volcontact::testing::implicit_patches_test
