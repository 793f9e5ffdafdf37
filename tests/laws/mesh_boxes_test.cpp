// Trees of curved parts and boxes, with the boxes as meshes and as primitives: two ways to the same
// overlap, of which the second knows nothing of meshes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>

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

// Cut into tetrahedra the mesh has the box's area vector, too, where its faces lie on those of the
// other solid: there each body has a half of what both bound, and all of what is its own.
TEST(MeshBoxes, ShareFlushFacesWhenCutIntoTetrahedra) {
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
      const Metrics found = PreparedPair(mesh, solid).Query(X_W, X_W, options);
      EXPECT_EQ(found.method, Method::kColumns);
      EXPECT_NEAR(found.volume, expected.volume, 1e-7 * expected.volume);
      EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-6);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::mesh_boxes_test
