// The connected components of overlaps of meshes and curved solids: against the same pairs without
// meshes, closed forms, the parts by themselves, and cells that a flood fills.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "solids/mesh/mesh_membership.h"
#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

constexpr double kTolerance = 1e-9;

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

// The patches in a turned world, which add up to the whole; as many with the bodies exchanged.
std::vector<Metrics> Patches(const Solid& A, const Solid& B, double tolerance = kTolerance) {
  const Pose X_W = AxisAngle(Vector3d(0.3, -1.0, 0.5).normalized(), 1.1, {0.2, -0.4, 0.3});
  const QueryOptions options{.tolerance = tolerance};
  const PreparedPair pair(A, B);
  const std::vector<Metrics> patches = pair.QueryPatches(X_W, X_W, options);
  const Metrics whole = pair.Query(X_W, X_W, options);
  EXPECT_EQ(patches.empty(), !whole.overlap);
  double volume = 0.0;
  Vector3d first = Vector3d::Zero(), area = Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    EXPECT_TRUE(patches[i].converged);
    ExpectConsistent(patches[i]);
    if (i > 0) {
      EXPECT_LE(patches[i].volume, patches[i - 1].volume);
    }
    volume += patches[i].volume;
    first += patches[i].volume * patches[i].centroid_W;
    area += patches[i].area_vector_W;
    const Vector3d r = patches[i].centroid_W - whole.centroid_W;
    inertia +=
        patches[i].inertia_W +
        patches[i].volume * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  EXPECT_NEAR(volume, whole.volume, 2.0 * tolerance * whole.volume);
  EXPECT_LE((first - whole.volume * whole.centroid_W).norm(), 4.0 * tolerance * whole.volume);
  EXPECT_LE((inertia - whole.inertia_W).norm(), 10.0 * tolerance * whole.inertia_W.norm());
  const double surface = std::pow(whole.volume, 2.0 / 3.0);
  EXPECT_LE((area - whole.area_vector_W).norm(), tolerance * surface);
  EXPECT_EQ(PreparedPair(B, A).QueryPatches(X_W, X_W, options).size(), patches.size());
  return patches;
}

void ExpectSame(const std::vector<Metrics>& patches, const std::vector<Metrics>& others,
                double tolerance) {
  ASSERT_EQ(patches.size(), others.size());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    SCOPED_TRACE(::testing::Message() << "patch " << i);
    ExpectMetrics(patches[i], TruthFrom(others[i], tolerance), tolerance);
    EXPECT_NEAR(patches[i].contact_area, others[i].contact_area, 1e-5 * others[i].contact_area);
  }
}

// Three balls and a leg on a slab that is a mesh, or a box, deep and less and less so.
TEST(MixedPatches, AreThoseOfABoxInPlaceOfItsMesh) {
  const Vector3d half(1.0, 0.7, 0.2);
  const TriangleMesh mesh = BoxMesh(-half, half, 7);
  for (const double depth : {3e-2, 1e-4, 1e-6}) {
    SCOPED_TRACE(depth);
    const Solid feet = Union({Sphere(0.1).Posed(At({0.5, 0.3, 0.3 - depth})),
                              Sphere(0.15).Posed(At({-0.6, 0.2, 0.35 - 0.8 * depth})),
                              Sphere(0.2).Posed(At({0.1, -0.45, 0.4 - 0.6 * depth})),
                              Cylinder(0.05, 0.4).Posed(AxisAngle(Vector3d::UnitX(), 0.2 * depth,
                                                                  {0.0, 0.15, 0.4 - 0.9 * depth})),
                              Box({1.5, 1.2, 0.1}).Posed(At({0.0, 0.0, 0.6}))});
    const std::vector<Metrics> patches = Patches(feet, Mesh(mesh));
    EXPECT_EQ(patches.size(), 4u);
    ExpectSame(patches, Patches(feet, Box(2.0 * half)), std::max(kTolerance, 1e-13 / depth));
  }
}

// Blocks of meshes with rounded edges, with one side of both in a plane but for roundings: it
// counts half, in the patches as in the whole.
TEST(MixedPatches, CountFacesOnEachOtherAsTheWholeDoes) {
  const auto block = [](double half, double radius) {
    const double outer = half + radius;
    std::vector<Solid> parts = {Mesh(BoxMesh({-outer, -half, -half}, {outer, half, half}, 1)),
                                Mesh(BoxMesh({-half, -outer, -half}, {half, outer, half}, 1))};
    for (const double x : {-half, half}) {
      for (const double y : {-half, half}) {
        parts.push_back(Cylinder(radius, 2.0 * half).Posed(At({x, y, 0.0})));
      }
    }
    return Union(parts);
  };
  const Solid narrow = block(0.5, 0.05).Posed(At({0.4, -0.1 - 6e-16, 0.35}));
  EXPECT_EQ(Patches(block(0.55, 0.1), narrow).size(), 1u);
}

// A ring around a gear touches every tooth alike; turned to one side it touches two.
TEST(MixedPatches, EveryToothOfAGearIsOne) {
  const Solid gear = Mesh(GearMesh(11, 1.0, 0.4));
  const Solid ring = Difference(Cylinder(1.5, 0.2), {Cylinder(0.97, 1.0)});
  const std::vector<Metrics> patches = Patches(gear, ring);
  ASSERT_EQ(patches.size(), 11u);
  for (const Metrics& patch : patches) {
    EXPECT_NEAR(patch.volume, patches[0].volume, 1e-9 * patch.volume);
    EXPECT_NEAR(patch.contact_area, patches[0].contact_area, 1e-6 * patch.contact_area);
    EXPECT_NEAR(patch.inertia_W.trace(), patches[0].inertia_W.trace(),
                1e-8 * patch.inertia_W.trace());
  }
  const std::vector<Metrics> grooves = Patches(gear, Torus(1.0, 0.05), 1e-8);
  EXPECT_EQ(grooves.size(), 11u);
}

// A closed face on the curved side, and one of the mesh, belong to the part around them.
TEST(MixedPatches, HollowsBelongToWhatIsAroundThem) {
  const Solid shells = Union({Difference(Sphere(0.3), {Sphere(0.2)}),
                              Difference(Sphere(0.2), {Sphere(0.1)}).Posed(At({1.0, 0.0, 0.0}))});
  const Solid block = Mesh(BoxMesh({-0.5, -0.5, -0.5}, {1.5, 0.5, 0.5}, 3));
  const std::vector<Metrics> patches = Patches(shells, block);
  ASSERT_EQ(patches.size(), 2u);
  const auto shell = [](double R, double r) { return 4.0 / 3.0 * M_PI * (R * R * R - r * r * r); };
  EXPECT_NEAR(patches[0].volume, shell(0.3, 0.2), 1e-9);
  EXPECT_NEAR(patches[1].volume, shell(0.2, 0.1), 1e-9);
  const Solid hollow =
      Mesh(Joined(BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}), Reversed(SphereMesh(0.2, 2))));
  const std::vector<Metrics> around = Patches(hollow, Union({Sphere(0.4), Sphere(0.1)}));
  ASSERT_EQ(around.size(), 1u);
  const Metrics ball = Query(Mesh(SphereMesh(0.2, 2)), Sphere(0.4), {.tolerance = kTolerance});
  EXPECT_NEAR(around[0].volume, 4.0 / 3.0 * M_PI * 0.064 - ball.volume, 1e-9);
}

// Meshes as parts: less a ball, beside one, within one.
TEST(MixedPatches, OfPartsWithMeshesInThem) {
  const TriangleMesh star = SphereMesh(1.0, 3);
  const Solid bar = Cylinder(0.2, 8.0);
  const std::vector<Metrics> cut = Patches(Difference(Mesh(star), {Sphere(0.5)}), bar);
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_NEAR(cut[0].volume, cut[1].volume, 1e-3 * cut[0].volume);
  const Solid beside = Union({Mesh(star), Sphere(0.5).Posed(At({0.0, 0.0, 2.5}))});
  const std::vector<Metrics> two = Patches(beside, bar);
  ASSERT_EQ(two.size(), 2u);
  const Metrics of_mesh = Query(Mesh(star), bar, {.tolerance = kTolerance});
  const Metrics of_ball = Query(Sphere(0.5), bar, {.tolerance = kTolerance});
  EXPECT_NEAR(two[0].volume, of_mesh.volume, 1e-8 * of_mesh.volume);
  EXPECT_NEAR(two[1].volume, of_ball.volume, 1e-8 * of_ball.volume);
}

// A ball or a cylinder somewhere, and whether a point is in it.
struct Pebble {
  double radius, half_height;  // infinite for a ball
  Pose X_WP;
  Eigen::Matrix3d R_PW;

  Solid AsSolid() const {
    const bool is_ball = std::isinf(half_height);
    return (is_ball ? Sphere(radius) : Cylinder(radius, 2.0 * half_height)).Posed(X_WP);
  }
  bool Holds(const Vector3d& p_W) const {
    const Vector3d p = R_PW * (p_W - X_WP.t);
    if (std::isinf(half_height)) return p.norm() < radius;
    return p.head<2>().norm() < radius && std::abs(p.z()) < half_height;
  }
};

// How many points of a grid are in each component of those in the mesh and in one of the others.
std::vector<int> Flood(const MeshTree& mesh, const std::vector<Pebble>& pebbles, double reach,
                       int n) {
  const double step = 2.0 * reach / n;
  std::vector<bool> is_in(static_cast<std::size_t>(n * n * n));
  for (int i = 0; i < n * n * n; ++i) {
    const Vector3d p =
        step * Vector3d(i / (n * n) + 0.41, i / n % n + 0.57, i % n + 0.46).array() - reach;
    is_in[i] = std::any_of(pebbles.begin(), pebbles.end(),
                           [&](const Pebble& pebble) { return pebble.Holds(p); }) &&
               LocateInMesh(mesh, p) == volcontact::Truth::kTrue;
  }
  std::vector<int> sizes, stack;
  for (int first = 0; first < n * n * n; ++first) {
    if (!is_in[first]) continue;
    sizes.push_back(0);
    stack.push_back(first);
    is_in[first] = false;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      ++sizes.back();
      for (int k = 0; k < 27; ++k) {
        const int x = at / (n * n) + k / 9 - 1, y = at / n % n + k / 3 % 3 - 1,
                  z = at % n + k % 3 - 1;
        if (std::min({x, y, z}) < 0 || std::max({x, y, z}) >= n) continue;
        const int next = (x * n + y) * n + z;
        if (is_in[next]) stack.push_back(next);
        is_in[next] = false;
      }
    }
  }
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

// Those that a grid can see; where a coarse and a fine one see as many.
TEST(MixedPatches, AreAsManyAsAFloodFinds) {
  Random random(5);
  constexpr int kFine = 60;
  const double reach = 1.4, infinite = std::numeric_limits<double>::infinity();
  const double cell = std::pow(2.0 * reach / kFine, 3);
  int compared = 0;
  for (int trial = 0; trial < 8; ++trial) {
    SCOPED_TRACE(trial);
    const TriangleMesh rock = StarMesh(&random, 2, 0.3);
    const MeshTree tree(rock);
    std::vector<Pebble> pebbles;
    std::vector<Solid> solids;
    for (int i = 0; i < 5; ++i) {
      Pebble& pebble = pebbles.emplace_back();
      pebble.radius = i % 2 == 0 ? random.Uniform(0.1, 0.4) : random.Uniform(0.1, 0.2);
      pebble.half_height = i % 2 == 0 ? infinite : random.Uniform(0.15, 0.45);
      pebble.X_WP = random.PoseAt(random.Uniform(0.6, 1.0) * random.UnitVector());
      pebble.R_PW = pebble.X_WP.Rotation().transpose();
      solids.push_back(pebble.AsSolid());
    }
    std::vector<int> sizes = Flood(tree, pebbles, reach, kFine);
    const auto drop_small = [](int size) { return size < 30; };
    const std::size_t all = Flood(tree, pebbles, reach, kFine / 2).size();
    std::erase_if(sizes, drop_small);
    if (all != sizes.size()) continue;
    ++compared;
    std::vector<Metrics> patches = Patches(Mesh(rock), Union(solids), 1e-7);
    std::erase_if(patches, [&](const Metrics& patch) { return patch.volume < 30.0 * cell; });
    ASSERT_EQ(patches.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_NEAR(patches[i].volume, sizes[i] * cell, 0.1 * patches[i].volume + 10.0 * cell);
    }
  }
  EXPECT_GE(compared, 5);
}

TEST(MixedPatches, AreNoneOfSolidsApart) {
  const Solid rock = Mesh(SphereMesh(1.0, 2));
  EXPECT_TRUE(Patches(rock, Sphere(0.5).Posed(At({0.0, 0.0, 1.6}))).empty());
  EXPECT_TRUE(Patches(Mesh(Joined(BoxMesh({-1, -1, -1}, {1, 1, 1}), Reversed(SphereMesh(0.5, 2)))),
                      Sphere(0.3))
                  .empty());
}

}  // namespace
}  // namespace volcontact::testing
