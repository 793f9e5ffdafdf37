// Laws that the metrics of meshes obey.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::laws_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 141421356;
constexpr int kSamples = 12;

struct MeshPairSample {
  TriangleMesh A, B;
  Pose X_AB;
};

TriangleMesh RandomMesh(Random* random, int kind) {
  switch (kind) {
    case 0:
      return HullMesh(random, 18);
    case 1:
      return StarMesh(random, 3, 0.15);
    case 2:
      return TorusMesh(0.9, 0.35, 24, 12);
    case 3:
      return GearMesh(7, 1.0, 0.6);
    default:
      return Translated(LPrism(), {-0.7, -0.7, -0.5});
  }
}

std::vector<MeshPairSample> Samples() {
  std::vector<MeshPairSample> samples;
  for (int i = 0; i < kSamples; ++i) {
    Random random(kSeed + i);
    const TriangleMesh A = RandomMesh(&random, i % 5), B = RandomMesh(&random, (2 * i + 1) % 5);
    samples.push_back({A, B, random.PoseAt(random.UniformVector(-0.6, 0.6))});
  }
  return samples;
}

Metrics QueryMeshes(const TriangleMesh& A, const TriangleMesh& B, const Pose& X_AB = {}) {
  return PreparedPair(Mesh(A), Mesh(B)).QueryRelative(X_AB);
}

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

TEST(MeshLaws, OrderOfTheSolidsDoesNotMatter) {
  for (const auto& [A, B, X_AB] : Samples()) {
    const Metrics ab = QueryMeshes(A, B, X_AB);
    const Metrics ba = PreparedPair(Mesh(B), Mesh(A)).Query(X_AB, Pose{});
    ExpectReversed(ab, ba, 1e-12);
    EXPECT_LE((ab.area_vector_W + ba.area_vector_W).norm(), 1e-12);
    EXPECT_NEAR(ab.contact_area, ba.contact_area, 1e-9 * ab.contact_area);
  }
}

TEST(MeshLaws, RigidMotionMovesTheResult) {
  Random random(kSeed);
  for (const auto& [A, B, X_AB] : Samples()) {
    const PreparedPair pair(Mesh(A), Mesh(B));
    const Metrics plain = pair.QueryRelative(X_AB);
    for (const double offset : {0.0, 1.0, 100.0}) {
      const Pose X_WA = random.PoseAt(offset * random.UnitVector());
      const Metrics moved = pair.Query(X_WA, Compose(X_WA, X_AB));
      // The composed pose is rounded.
      const double rounding = 1e-13 * (1.0 + offset);
      ExpectMetrics(moved, TruthFrom(Moved(plain, X_WA), rounding), 1e-12);
      EXPECT_LE((moved.area_vector_W - Moved(plain, X_WA).area_vector_W).norm(), 10.0 * rounding);
    }
  }
}

TEST(MeshLaws, PartsOfASolidAddUp) {
  const TriangleMesh universe = BoxMesh({-9.0, -9.0, -9.0}, {9.0, 9.0, 9.0}, 3);
  for (const auto& [A, B, X_AB] : Samples()) {
    const Metrics inside = QueryMeshes(A, B, X_AB);
    const Metrics outside = QueryMeshes(A, Joined(universe, Reversed(B)), X_AB);
    const MassProperties whole = ComputeMassProperties(Mesh(A));
    EXPECT_NEAR(inside.volume + outside.volume, whole.volume, 1e-13 * whole.volume);
    const Vector3d first = inside.volume * inside.centroid_W + outside.volume * outside.centroid_W;
    EXPECT_LE((first - whole.volume * whole.centroid_W).norm(), 1e-12 * whole.volume);
    EXPECT_LE((inside.area_vector_W + outside.area_vector_W).norm(), 1e-12);
  }
}

// dV = −a·d for A moved by d, and −m·w for A turned by w about the overlap's centroid.
TEST(MeshLaws, AreaVectorIsTheGradient) {
  constexpr double kStep = 1e-5;
  for (const auto& [A, B, X_AB] : Samples()) {
    const PreparedPair pair(Mesh(A), Mesh(B));
    const Metrics metrics = pair.QueryRelative(X_AB);
    const Vector3d c = metrics.centroid_W;
    for (int i = 0; i < 3; ++i) {
      const Vector3d e = Vector3d::Unit(i);
      const auto moved = [&](double h) { return pair.Query(At(h * e), X_AB).volume; };
      const double slope = (moved(kStep) - moved(-kStep)) / (2.0 * kStep);
      EXPECT_NEAR(slope, -metrics.area_vector_W[i], 1e-7);
      const auto turned = [&](double h) {
        const Pose about = AxisAngle(e, h);
        return pair.Query({c - about * c, about.q}, X_AB).volume;
      };
      const double turning = (turned(kStep) - turned(-kStep)) / (2.0 * kStep);
      EXPECT_NEAR(turning, -metrics.area_moment_W[i], 1e-7);
    }
  }
}

TEST(MeshLaws, HalfSpaceIsALargeBox) {
  Random random(kSeed);
  const TriangleMesh slab = BoxMesh({-16.0, -16.0, -16.0}, {16.0, 16.0, 0.0}, 2);
  for (const auto& [A, B, X_AB] : Samples()) {
    for (const TriangleMesh& mesh : {A, B}) {
      const Pose X = random.PoseAt(random.UniformVector(-0.5, 0.5));
      const Solid solid = Mesh(mesh);
      const Metrics large = PreparedPair(Mesh(slab), solid).QueryRelative(X);
      const Metrics half = PreparedPair(HalfSpace(), solid).QueryRelative(X);
      const Metrics box = PreparedPair(Box({32.0, 32.0, 32.0}), solid).Query(At({0, 0, -16}), X);
      const Metrics reversed = PreparedPair(solid, HalfSpace()).Query(X, Pose{});
      for (const Metrics& metrics : {half, box}) {
        ExpectMetrics(metrics, TruthFrom(large, 1e-13), 1e-12);
        EXPECT_LE((metrics.area_vector_W - large.area_vector_W).norm(), 1e-12);
        EXPECT_LE((metrics.area_moment_W - large.area_moment_W).norm(), 1e-12);
        EXPECT_NEAR(metrics.contact_area, large.contact_area, 1e-9 * large.contact_area);
      }
      ExpectReversed(half, reversed, 1e-12);
    }
  }
}

TEST(MeshLaws, HalfSpaceTiesAndMisses) {
  const Solid cube = Mesh(BoxMesh({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, 3));
  const PreparedPair pair(cube, HalfSpace());
  ExpectNoOverlap(pair.QueryRelative(At({0.0, 0.0, 0.0})));
  const Metrics apart = pair.QueryRelative(At({0.0, 0.0, -0.5}));
  ExpectNoOverlap(apart);
  EXPECT_NEAR(apart.distance.value(), 0.5, 1e-12);
  EXPECT_NEAR(pair.QueryRelative(At({0.0, 0.0, 1.0})).volume, 1.0, 1e-14);
  EXPECT_NEAR(pair.QueryRelative(At({0.0, 0.0, 5.0})).volume, 1.0, 1e-14);
  for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const Metrics metrics = pair.QueryRelative(At({0.0, 0.0, depth}));
    EXPECT_NEAR(metrics.volume, depth, 1e-13 * depth);
    EXPECT_NEAR(metrics.contact_area, 1.0, 1e-12);
  }
}

// With their vertices turned, and far from the origin: no digit is lost but those of the vertices,
// which the box sees as well.
TEST(MeshLaws, HalfSpaceDepthSweep) {
  Random random(kSeed);
  const TriangleMesh cube = BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 3);
  const Solid ground = Mesh(BoxMesh({-256.0, -256.0, -256.0}, {256.0, 256.0, 0.0}));
  const Pose face, edge = AxisAngle(Vector3d::UnitX(), 0.8);
  const Pose corner = {Vector3d::Zero(), {0.8, 0.2, 0.4, 0.4}};
  for (const Pose& down : {face, edge, corner}) {
    for (const double depth : {1e-2, 1e-4, 1e-6, 1e-7, 1e-8}) {
      for (const double offset : {0.0, 100.0}) {
        SCOPED_TRACE(::testing::Message() << "depth " << depth << ", offset " << offset);
        Pose X = down;
        double lowest = 0.0;
        for (const Vector3d& p : cube.vertices) lowest = std::min(lowest, (down * p).z());
        X.t = {0.1, 0.2, -lowest - depth};
        const Pose turn = random.PoseAt(Vector3d::Zero());
        const Vector3d away = offset * Vector3d(0.6, 0.0, 0.8);
        const Solid solid =
            Mesh(Mapped(cube, [&](const Vector3d& p) -> Vector3d { return turn * p + away; }));
        const Pose X_AB = Compose(Compose(X, Inverse(turn)), At(-away));
        const Metrics box = PreparedPair(ground, solid).QueryRelative(X_AB);
        const Truth truth = TruthFrom(box, box.volume_error / box.volume);
        const Metrics metrics = PreparedPair(HalfSpace(), solid).QueryRelative(X_AB);
        ExpectMetrics(metrics, truth, 1e-10);
        EXPECT_LE(metrics.volume_error, 1e-10 * metrics.volume);
      }
    }
  }
}

// Halving the edges quarters the error.
void ExpectOrderTwo(const std::vector<double>& volumes, double truth) {
  for (std::size_t k = 0; k + 1 < volumes.size(); ++k) {
    const double ratio = (volumes[k] - truth) / (volumes[k + 1] - truth);
    EXPECT_GT(ratio, 3.7) << "from step " << k;
    EXPECT_LT(ratio, 4.3) << "from step " << k;
  }
  EXPECT_NEAR(volumes.back(), truth, 2e-3 * truth);
}

TEST(MeshLaws, RefinedMeshesConverge) {
  const Pose tilted = {{0.3, 0.2, 0.9}, {0.8, 0.2, 0.4, 0.4}};
  const Metrics lens = Query(Sphere(1.0), Sphere(0.75).Posed(tilted), {.tolerance = 1e-12});
  const Metrics ungula = Query(HalfSpace(), Cylinder(0.5, 2.0).Posed(tilted), {.tolerance = 1e-12});
  std::vector<double> lenses, ungulas;
  for (int level = 2; level <= 5; ++level) {
    lenses.push_back(QueryMeshes(SphereMesh(1.0, level), SphereMesh(0.75, level), tilted).volume);
    const TriangleMesh cylinder = StarPrism(std::vector<double>(16 << level, 0.5), 2.0);
    ungulas.push_back(PreparedPair(HalfSpace(), Mesh(cylinder)).QueryRelative(tilted).volume);
  }
  ExpectOrderTwo(lenses, lens.volume);
  ExpectOrderTwo(ungulas, ungula.volume);
}

TEST(MeshLaws, ContactAreas) {
  const Solid cube = Mesh(BoxMesh({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, 4));
  const Metrics stacked = PreparedPair(cube, cube).QueryRelative(At({0.25, 0.5, 0.875}));
  EXPECT_NEAR(stacked.contact_area, 0.75 * 0.5, 1e-14);
  EXPECT_NEAR(stacked.mean_height, 0.125, 1e-14);
  EXPECT_LE((stacked.normal_W - Vector3d(0.0, 0.0, -1.0)).norm(), 1e-12);
  EXPECT_LE((stacked.area_vector_W - Vector3d(-0.0625, -0.09375, -0.375)).norm(), 1e-14);
}

using MakeBox = std::function<Solid(const Vector3d& min, const Vector3d& max)>;

// A comb, a frame, a shelf and a half-space.
std::vector<Solid> PartsOf(const MakeBox& box) {
  std::vector<Solid> slots;
  for (const double x : {-0.8, -0.2, 0.4}) {
    slots.push_back(box({x, -2.0, 0.0}, {x + 0.3, 2.0, 2.0}));
  }
  return {
      Difference(box({-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}), slots),
      Difference(box({-1.0, -1.0, -0.5}, {1.0, 1.0, 0.5}),
                 {box({-0.6, -0.5, -2.0}, {0.6, 0.5, 2.0})}),
      Union({box({-1.0, -1.0, -1.0}, {1.0, 1.0, -0.7}), box({-1.0, -1.0, -0.7}, {-0.7, 1.0, 1.0}),
             box({0.6, -1.0, -0.7}, {1.0, 1.0, 1.0})}),
      HalfSpace()};
}

// Compares contact areas of parts as boxes, and as meshes of these, with each other and with a
// half-space. Returns how many have been compared.
int CompareContactAreas(const std::function<Pose(Random*)>& draw) {
  const std::vector<Solid> exact = PartsOf([](const Vector3d& min, const Vector3d& max) {
    return Box(max - min).Posed(At(0.5 * (min + max)));
  });
  const std::vector<Solid> meshes =
      PartsOf([](const Vector3d& min, const Vector3d& max) { return Mesh(BoxMesh(min, max, 1)); });
  Random random(kSeed);
  int compared = 0;
  for (int i = 0; i < 80; ++i) {
    SCOPED_TRACE(i);
    const std::size_t a = i % 3, b = i / 3 % 4;
    const Pose X_AB = draw(&random);
    const Metrics truth = PreparedPair(exact[a], exact[b]).QueryRelative(X_AB, {.tolerance = 1e-9});
    const Metrics found = PreparedPair(meshes[a], meshes[b]).QueryRelative(X_AB);
    // Without a contact normal there is no contact area.
    if (!truth.overlap || !truth.converged || !truth.warnings.empty() ||
        truth.area_vector_W.norm() < 1e-9)
      continue;
    EXPECT_TRUE(found.warnings.empty());
    EXPECT_NEAR(found.contact_area, truth.contact_area, 1e-7 * truth.contact_area);
    ++compared;
  }
  return compared;
}

// Lines along the normal that meet the overlap twice count once.
TEST(MeshLaws, ContactAreaCountsLinesOnce) {
  EXPECT_GT(CompareContactAreas([](Random* random) {
              return random->PoseAt(random->Uniform(0.2, 1.6) * random->UnitVector());
            }),
            55);
}

// Between faces that touch from outside is no overlap.
TEST(MeshLaws, ContactAreaLeavesOutSheetsBetweenFacesThatTouch) {
  EXPECT_GT(CompareContactAreas([](Random* random) {
              const Vector3d t = random->UniformVector(-1.6, 1.6);
              return At({0.1 * std::round(10.0 * t.x()), 0.1 * std::round(10.0 * t.y()),
                         0.1 * std::round(10.0 * t.z())});
            }),
            40);
}

TEST(MeshLaws, BatchesAndThreadsGiveTheSameBits) {
  Random random(kSeed);
  const PreparedPair pair(Mesh(SphereMesh(1.0, 3)), Mesh(StarMesh(&random, 3, 0.2)));
  std::vector<Pose> poses;
  for (int i = 0; i < 60; ++i) {
    poses.push_back(random.PoseAt(random.Uniform(0.0, 3.0) * random.UnitVector()));
  }
  QueryOptions options;
  const std::vector<Metrics> one = pair.QueryRelativeBatch(poses, options);
  options.threads = 2;
  const std::vector<Metrics> two = pair.QueryRelativeBatch(poses, options);
  ASSERT_EQ(one.size(), poses.size());
  ASSERT_EQ(two.size(), poses.size());
  const PreparedPair other(Mesh(TorusMesh(1.0, 0.3, 30, 20)), Mesh(LPrism()));
  int overlapping = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    EXPECT_TRUE(BitwiseEqual(one[i], two[i]));
    EXPECT_TRUE(BitwiseEqual(one[i], pair.QueryRelative(poses[i])));
    // What an earlier query left in the scratch memory does not show.
    other.QueryRelative(poses[i]);
    EXPECT_TRUE(BitwiseEqual(one[i], pair.QueryRelative(poses[i])));
    overlapping += one[i].overlap;
  }
  EXPECT_GT(overlapping, 30);
  EXPECT_LT(overlapping, 60);
}

// Preparing again, with the solids made again, changes nothing.
TEST(MeshLaws, PreparationIsRepeatable) {
  for (const auto& [A, B, X_AB] : Samples()) {
    EXPECT_TRUE(BitwiseEqual(QueryMeshes(A, B, X_AB), QueryMeshes(A, B, X_AB)));
  }
}

TEST(MeshLaws, TestsAndEventsAgreeWithTheVolume) {
  for (const auto& [A, B, X_AB] : Samples()) {
    const PreparedPair pair(Mesh(A), Mesh(B));
    const Metrics metrics = pair.QueryRelative(X_AB);
    EXPECT_EQ(pair.Overlaps(Pose{}, X_AB), OverlapProof::kOverlap);
    EXPECT_NEAR(pair.EventFunction(Pose{}, X_AB), -std::cbrt(metrics.volume), 1e-12);
    Pose away = X_AB;
    away.t.x() += 6.0;
    EXPECT_EQ(pair.Overlaps(Pose{}, away), OverlapProof::kSeparated);
    const double distance = pair.DistanceBound(Pose{}, away);
    EXPECT_GT(distance, 1.0);
    EXPECT_EQ(pair.QueryRelative(away).distance, distance);
    // Moved by less than the distance they stay apart.
    away.t.x() -= 0.999 * distance;
    EXPECT_FALSE(pair.QueryRelative(away).overlap);
  }
}

}  // namespace
}  // namespace volcontact::testing::laws_test
