// Trees of curved parts and boxes, with the boxes as meshes and as primitives: two ways to the same
// overlap, of which the second knows nothing of meshes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "support/meshes.h"
#include "support/samples.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::mesh_boxes_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 161803398;
// More meshes in a pair are not always few enough after those of one solid are joined.
constexpr int kMostMeshes = 6;

struct Tree {
  Solid of_meshes, of_boxes;
  int meshes = 0;
};

// In any pose, or on a grid, where faces lie on each other.
Pose SomePose(Random* random, double reach, bool is_on_grid) {
  const Vector3d t = random->UniformVector(-reach, reach);
  if (!is_on_grid) return random->PoseAt(t);
  return {(8.0 * t).array().round().matrix() / 8.0};
}

Tree SomeLeaf(Random* random, bool is_on_grid) {
  const Pose X = SomePose(random, 0.5, is_on_grid);
  const double kind = random->Uniform(0.0, 1.0);
  if (kind < 0.5) {
    Vector3d size = random->UniformVector(0.3, 1.2);
    if (is_on_grid) size = (4.0 * size).array().round().matrix() / 4.0;
    return {Mesh(BoxMesh(-0.5 * size, 0.5 * size)).Posed(X),
            Box({size.x(), size.y(), size.z()}).Posed(X), 1};
  }
  Solid curved = Sphere(random->Uniform(0.2, 0.5));
  if (kind > 0.65) curved = Cylinder(random->Uniform(0.1, 0.4), random->Uniform(0.4, 1.5));
  if (kind > 0.8) curved = Cone(random->Uniform(0.2, 0.5), random->Uniform(0.4, 1.0));
  curved = curved.Posed(X);
  return {curved, curved, 0};
}

Tree SomeTree(Random* random, int depth, bool is_on_grid) {
  if (depth == 0) return SomeLeaf(random, is_on_grid);
  const Tree a = SomeTree(random, depth - 1, is_on_grid);
  const Tree b = SomeTree(random, depth - 1, is_on_grid);
  const int meshes = a.meshes + b.meshes;
  const double kind = random->Uniform(0.0, 1.0);
  if (kind < 0.5) {
    return {Union({a.of_meshes, b.of_meshes}), Union({a.of_boxes, b.of_boxes}), meshes};
  }
  if (kind < 0.85) {
    return {Difference(a.of_meshes, {b.of_meshes}), Difference(a.of_boxes, {b.of_boxes}), meshes};
  }
  return {Intersection({a.of_meshes, b.of_meshes}), Intersection({a.of_boxes, b.of_boxes}), meshes};
}

void ExpectSame(Random* random, int depth, bool is_on_grid, int* overlaps) {
  const Tree A = SomeTree(random, depth, is_on_grid), B = SomeTree(random, depth, is_on_grid);
  const Pose X_AB = SomePose(random, 0.3, is_on_grid);
  if (A.meshes + B.meshes == 0 || A.meshes + B.meshes > kMostMeshes) return;
  QueryOptions options;
  options.bound_distance = false;
  const Metrics expected = PreparedPair(A.of_boxes, B.of_boxes).QueryRelative(X_AB, options);
  const Metrics found = PreparedPair(A.of_meshes, B.of_meshes).QueryRelative(X_AB, options);
  ASSERT_EQ(found.overlap, expected.overlap);
  if (!found.overlap) return;
  ++*overlaps;
  EXPECT_TRUE(found.converged);
  const double size = std::cbrt(expected.volume);
  EXPECT_NEAR(found.volume, expected.volume, 1e-5 * expected.volume);
  EXPECT_LE((found.centroid_W - expected.centroid_W).norm(), 1e-5 * size);
  EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-4 * size * size);
}

TEST(MeshBoxes, AreBoxesInAnyPose) {
  Random random(kSeed);
  const int samples = Samples(12, 40);
  int overlaps = 0;
  for (int sample = 0; sample < samples; ++sample) {
    SCOPED_TRACE(sample);
    ExpectSame(&random, 2, false, &overlaps);
  }
  EXPECT_GT(overlaps, samples / 3);
}

TEST(MeshBoxes, AreBoxesOnAGrid) {
  Random random(kSeed + 1);
  int overlaps = 0;
  for (int sample = 0; sample < 40; ++sample) {
    SCOPED_TRACE(sample);
    ExpectSame(&random, 1, true, &overlaps);
  }
  EXPECT_GT(overlaps, 15);
}

double Tenths(Random* random, int least, int most) {
  return 0.1 * std::floor(random->Uniform(least, most + 1));
}

Pose OnTenths(Random* random) {
  const Vector3d t(Tenths(random, -2, 2), Tenths(random, -2, 2), Tenths(random, -2, 2));
  const double kind = random->Uniform(0.0, 3.0);
  if (kind < 1.0) return Pose{t};
  return AxisAngle(kind < 2.0 ? Vector3d::UnitX() : Vector3d::UnitY(), pi / 2, t);
}

// A box with a bore somewhere.
Tree SomePlate(Random* random) {
  const Vector3d size(Tenths(random, 1, 6), Tenths(random, 1, 6), Tenths(random, 1, 4));
  const Pose X = OnTenths(random);
  const Solid bore = Cylinder(Tenths(random, 1, 3), Tenths(random, 1, 5)).Posed(OnTenths(random));
  return {Difference(Mesh(BoxMesh(-0.5 * size, 0.5 * size)).Posed(X), {bore}),
          Difference(Box({size.x(), size.y(), size.z()}).Posed(X), {bore}), 1};
}

// Tenths have roundings: faces that should lie on each other are off by these.
TEST(MeshBoxes, ShareFacesWithBoresOnTenths) {
  Random random(kSeed + 2);
  int overlaps = 0;
  for (int sample = 0; sample < 120; ++sample) {
    SCOPED_TRACE(sample);
    const Tree A = SomePlate(&random), B = SomePlate(&random);
    const Pose X_WA = random.PoseAt(random.UniformVector(-1.0, 1.0));
    Pose X_WB = X_WA;
    X_WB.t = X_WA * Vector3d(Tenths(&random, -2, 2), Tenths(&random, -2, 2), 0.1);
    QueryOptions options;
    options.tolerance = 1e-8;
    options.bound_distance = false;
    const Metrics expected = PreparedPair(A.of_boxes, B.of_boxes).Query(X_WA, X_WB, options);
    if (!(expected.volume > 1e-9)) continue;
    ++overlaps;
    const std::pair<Solid, Solid> pairs[] = {
        {A.of_meshes, B.of_boxes}, {A.of_boxes, B.of_meshes}, {A.of_meshes, B.of_meshes}};
    for (const auto& [a, b] : pairs) {
      const Metrics found = PreparedPair(a, b).Query(X_WA, X_WB, options);
      EXPECT_TRUE(found.converged);
      EXPECT_NEAR(found.volume, expected.volume, 1e-7 * expected.volume);
      EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-7);
    }
  }
  EXPECT_GT(overlaps, 40);
}

// The torus touches the face along a circle, of which halving the face finds no end.
TEST(MeshBoxes, HoldATorusThatTouchesThemFromWithin) {
  const Solid mesh = Mesh(BoxMesh({-1.0, -1.0, -0.5}, {1.0, 1.0, 0.1}, 3));
  const Metrics metrics = PreparedPair(mesh, Torus(0.4, 0.1)).Query(Pose(), Pose());
  EXPECT_TRUE(metrics.converged);
  EXPECT_NEAR(metrics.volume, 2.0 * pi * pi * 0.4 * 0.01, 1e-8);
}

// By columns the mesh has the box's area vector, too, where its faces lie on those of the other
// solid: there each body has a half of what both bound, and all of what is its own.
TEST(MeshBoxes, ShareFlushFacesByColumns) {
  const Vector3d size(0.7, 0.5, 0.2);
  const Solid box = Box({size.x(), size.y(), size.z()});
  const Solid mesh = Mesh(BoxMesh(-0.5 * size, 0.5 * size));
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY();
  const Solid upright = Cone(0.2, 0.4).Posed(Pose{{-0.2, -0.1, -0.1}});
  const Solid lying = Cylinder(0.2, 0.4).Posed(AxisAngle(y, pi / 2, {0.0, 0.2, -0.1}));
  const Solid peg = Cylinder(0.1, 0.3).Posed(Pose{{-0.35, 0.0, 0.0}});
  const Solid corner = Box({0.1, 0.1, 0.1}).Posed(Pose{{-0.3, -0.05, -0.1}});
  // On a face from within, beside what the face cuts through, and from without.
  const Solid solids[] = {upright, Union({upright, lying}), Difference(peg, {corner}),
                          Union({upright, lying, peg})};
  const Pose poses[] = {Pose{}, AxisAngle((x + 2.0 * y).normalized(), 0.7, {0.3, -0.2, 0.5})};
  for (const Solid& solid : solids) {
    for (const Pose& X_W : poses) {
      QueryOptions options;
      options.tolerance = 1e-8;
      const Metrics expected = PreparedPair(box, solid).Query(X_W, X_W, options);
      options.method = Method::kColumns;
      options.tolerance = 1e-3;
      const Metrics found = PreparedPair(mesh, solid).Query(X_W, X_W, options);
      EXPECT_EQ(found.method, Method::kColumns);
      EXPECT_TRUE(found.converged);
      EXPECT_NEAR(found.volume, expected.volume, 1e-3 * expected.volume);
      EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-3);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::mesh_boxes_test
