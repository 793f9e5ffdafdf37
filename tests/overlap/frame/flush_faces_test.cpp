// Surfaces of A and B that coincide, where the face on them is one body's alone.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <numbers>
#include <utility>
#include <vector>

#include "overlap/query/regions/region_integral.h"
#include "overlap/region_testing.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing::flush_faces_test {
namespace {

using Eigen::Vector3d;

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

struct Scene {
  Solid A, B;
  Vector3d area;  // of B's share
};

// A post let into a base, and a part that stands on the base and reaches into the post: its lower
// end bounds the overlap, the base's top does not.
std::vector<Scene> Scenes() {
  const Solid base = Box({2.0, 2.0, 1.0}).Posed(At(0.0, 0.0, -0.5));
  const Solid post = Union({base, Box({0.4, 0.4, 2.0}).Posed(At(0.0, 0.0, 0.5))});
  const Solid round_post = Union({base, Cylinder(0.3, 2.0).Posed(At(0.0, 0.0, 0.5))});
  const Solid block = Box({0.3, 0.2, 0.5}).Posed(At(0.2, 0.0, 0.25));
  const Solid standing = Box({0.4, 0.4, 1.5}).Posed(At(0.0, 0.0, 0.75));
  const Solid plate = Box({0.6, 0.6, 0.5}).Posed(At(0.0, 0.0, -0.25));
  const Solid beyond = Box({1.0, 2.0, 1.0}).Posed(At(0.5, 0.0, 0.0));
  const Solid pocket =
      Difference(Box({2.0, 2.0, 1.0}), {Box({1.0, 1.0, 1.0}).Posed(At(0.0, 0.0, 0.5))});
  const Solid key = Box({0.5, 0.5, 0.25}).Posed(At(0.375, 0.0, 0.125));
  const Solid ring = Difference(Cylinder(0.5, 0.5), {Cylinder(0.25, 1.0)});
  return {
      // B's side within the post, x = 0.05, of 0.2 by 0.5.
      {post, block, {-0.1, 0.0, 0.0}},
      {Union({post, Sphere(0.1).Posed(At(0.7, 0.7, 0.0))}), block, {-0.1, 0.0, 0.0}},
      {round_post, block, {-0.1, 0.0, 0.0}},
      // A ring around a post: both of its ends lie in the post's rim.
      {round_post, ring.Posed(At(0.0, 0.0, 0.25)), Vector3d::Zero()},
      // The same post set on the base, which then ends there as well; on a base that ends beneath
      // it.
      {Union({base, standing}), block, {-0.1, 0.0, 0.0}},
      {Union({Box({2.0, 2.0, 1.0}).Posed(At(-0.9, 0.0, -0.5)), standing}),
       block,
       {-0.1, 0.0, 0.01}},
      // A plate whose top is flush with a base's, where a tower rises through that.
      {post, plate, {0.0, 0.0, -0.5 * (0.36 - 0.16)}},
      {round_post, plate, {0.0, 0.0, -0.5 * (0.36 - 0.09 * std::numbers::pi)}},
      // Equal radii, where A goes on beyond on one side.
      {Union({Cylinder(0.5, 1.0), beyond}), Cylinder(0.5, 2.0), {0.5, 0.0, 0.0}},
      {Union({Sphere(0.5), beyond}), Sphere(0.5), {0.125 * std::numbers::pi, 0.0, 0.0}},
      // A cone inside a box, but for its base, which is flush.
      {Box({2.0, 2.0, 2.0}),
       Cone(0.5, 1.0).Posed(At(0.0, 0.0, -1.0)),
       {0.0, 0.0, 0.125 * std::numbers::pi}},
      // A key on the floor of a pocket reaches into its wall.
      {pocket, key, {0.125, 0.0, 0.0}},
  };
}

TEST(FlushFaces, AreOfTheBodyThatEndsThere) {
  Random random(11);
  for (const Scene& scene : Scenes()) {
    const PreparedPair pair(scene.A, scene.B), swapped(scene.B, scene.A);
    for (int k = 0; k < 3; ++k) {
      const Pose X = k == 0 ? Pose() : random.PoseAt(random.UniformVector(-1.0, 1.0));
      QueryOptions options;
      options.tolerance = 1e-8;
      const Metrics metrics = pair.Query(X, X, options), other = swapped.Query(X, X, options);
      const Vector3d expected = Rigid(X).RotationDouble() * scene.area;
      EXPECT_TRUE(metrics.converged);
      EXPECT_LE((metrics.area_vector_W - expected).norm(), 1e-7);
      EXPECT_LE((metrics.area_vector_W + other.area_vector_W).norm(), 1e-7);
    }
  }
}

TEST(FlushFaces, ByColumns) {
  for (const Scene& scene : Scenes()) {
    const Pose askew = PoseAt(0.1, -0.2, 0.3, 0.4, 0.5, -0.3);
    Workspace workspace;
    workspace.set = RegionOf(scene.A.Posed(askew), scene.B.Posed(askew));
    const Aabb box = Intersect(scene.A.Posed(askew).Bounds(), scene.B.Posed(askew).Bounds());
    QueryOptions options;
    options.tolerance = 1e-6;
    options.method = Method::kColumns;
    RawAnswer answer;
    IntegrateRegion(box, options, &workspace, &answer);
    EXPECT_TRUE(answer.raw.converged);
    const RawMetrics& raw = answer.raw;
    const Vector3d expected = Rigid(askew).RotationDouble() * scene.area;
    EXPECT_LE((raw.X_AC.RotationDouble() * raw.area - expected).norm(), 1e-5);
  }
}

// B's slot ends round, and the plane of its box lies in A's face and on a side of the overlap's
// box, exactly and but for a rounding.
TEST(FlushFaces, OnSidesOfTheBoxByColumns) {
  const Solid A = Box({2.0, 2.0, 1.0});
  const Solid slot = Union({Box({0.5, 0.4, 2.0}).Posed(At(-0.25, 0.0, 0.0)), Cylinder(0.25, 2.0)});
  const PreparedPair pair(A, Difference(Box({2.0, 2.0, 1.0}), {slot}));
  const double seen = 2.0 - 0.03125 * std::numbers::pi;
  const Vector3d expected(0.75, 0.0, -seen);
  for (const double rounding : {0.0, 0x1p-52, -0x1p-53}) {
    for (const Method method : {Method::kBoundary, Method::kColumns}) {
      QueryOptions options;
      options.method = method;
      const Metrics metrics = pair.QueryRelative(At(-1.0 + rounding, 0.0, 0.5 - rounding), options);
      EXPECT_EQ(metrics.method, method);
      // Columns do not always converge here.
      const double error = (metrics.area_vector_W - expected).norm();
      EXPECT_LE(error, metrics.converged ? 1e-5 : 2e-3) << MethodName(method);
      EXPECT_NEAR(metrics.contact_area, seen, 1e-3);
    }
  }
}

// Blocks of unit cells, in a grid of so many along each axis, and the cells that they hold.
struct Blocks {
  static constexpr int kCells = 4;
  Solid solid = Box({1.0, 1.0, 1.0});
  std::array<bool, kCells* kCells* kCells> holds = {};

  static int IndexOf(const Eigen::Vector3i& c) { return (c.z() * kCells + c.y()) * kCells + c.x(); }
  bool Holds(const Eigen::Vector3i& c) const {
    return c.minCoeff() >= 0 && c.maxCoeff() < kCells && holds[IndexOf(c)];
  }
};

// A union of blocks, less another one.
Blocks RandomBlocks(Random* random) {
  Blocks blocks;
  const auto fill = [&](bool value) {
    Eigen::Vector3i low, high;
    for (int i = 0; i < 3; ++i) {
      low[i] = static_cast<int>(random->Uniform(0.0, Blocks::kCells - 0.5));
      high[i] = static_cast<int>(random->Uniform(low[i] + 1.0, Blocks::kCells + 0.5));
      high[i] = std::min(high[i], Blocks::kCells);
    }
    for (int z = low.z(); z < high.z(); ++z) {
      for (int y = low.y(); y < high.y(); ++y) {
        for (int x = low.x(); x < high.x(); ++x) blocks.holds[Blocks::IndexOf({x, y, z})] = value;
      }
    }
    const Vector3d size = (high - low).cast<double>(), center = 0.5 * (high + low).cast<double>();
    return Box({size.x(), size.y(), size.z()}).Posed(At(center.x(), center.y(), center.z()));
  };
  std::vector<Solid> solids;
  for (int k = 0; k < 3; ++k) solids.push_back(fill(true));
  const Solid all = Union(solids);
  blocks.solid = Difference(all, {fill(false)});
  return blocks;
}

// The volume that both hold, and B's share of its area vector, face of a cell by face.
std::pair<double, Vector3d> Count(const Blocks& A, const Blocks& B) {
  double volume = 0.0;
  Vector3d area = Vector3d::Zero();
  for (int n = 0; n < static_cast<int>(A.holds.size()); ++n) {
    if (!A.holds[n] || !B.holds[n]) continue;
    volume += 1.0;
    const Eigen::Vector3i cell(n % Blocks::kCells, n / Blocks::kCells % Blocks::kCells,
                               n / (Blocks::kCells * Blocks::kCells));
    for (int i = 0; i < 3; ++i) {
      for (const int side : {-1, 1}) {
        const Eigen::Vector3i step = side * Eigen::Vector3i::Unit(i);
        const bool a = A.Holds(cell + step), b = B.Holds(cell + step);
        const double share = b ? 0.0 : (a ? 1.0 : 0.5);
        area += share * step.cast<double>();
      }
    }
  }
  return {volume, area};
}

TEST(FlushFaces, OfBlocksAreCounted) {
  Random random(13);
  int with_volume = 0;
  for (int k = 0; k < 40; ++k) {
    const Blocks A = RandomBlocks(&random), B = RandomBlocks(&random);
    const auto [volume, area] = Count(A, B);
    const Pose X = k % 2 == 0 ? Pose() : random.PoseAt(random.UniformVector(-1.0, 1.0));
    QueryOptions options;
    options.tolerance = 1e-9;
    const Metrics metrics = PreparedPair(A.solid, B.solid).Query(X, X, options);
    with_volume += volume > 0.0 ? 1 : 0;
    const Vector3d expected = Rigid(X).RotationDouble() * area;
    EXPECT_TRUE(metrics.converged) << k;
    EXPECT_NEAR(metrics.volume, volume, 1e-9 * volume) << k;
    EXPECT_LE((metrics.area_vector_W - expected).norm(), 1e-8 * std::max(1.0, volume)) << k;
  }
  EXPECT_GE(with_volume, 20);
}

}  // namespace
}  // namespace volcontact::testing::flush_faces_test
