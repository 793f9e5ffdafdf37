// Corners, edges and faces of a mesh that lie on surfaces of what is beside it.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::mesh_aligned_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 14;

QueryOptions Tight(double tolerance = 1e-9) {
  QueryOptions options;
  options.tolerance = tolerance;
  return options;
}

bool IsByArcs(const Metrics& metrics) { return metrics.stats.fallback.empty(); }

struct Aligned {
  const char* name;
  Solid solid;
  double volume;
  // One-sided derivatives differ.
  bool flush = false;
};

// Corners, edges and faces of the unit cube that lie on the surface.
std::vector<Aligned> AlignedSolids() {
  const auto at = [](double x, double y, double z) { return Pose{{x, y, z}}; };
  const Pose down = MakePose(AxisAngle(Vector3d::UnitX(), pi).Rotation(), {0.3, 0.6, 1.0});
  const Solid block = Box(Vector3d::Ones()).Posed(at(0.5, 0.5, 0.5));
  const Solid low = Box({1.0, 1.0, 0.5}).Posed(at(0.5, 0.5, 0.75));
  return {
      {"a ball about a corner", Sphere(0.5), pi / 48.0},
      {"a ball about a corner, through others", Sphere(1.0), pi / 6.0},
      {"a ball through the farthest corner", Sphere(std::sqrt(3.0)), 1.0},
      {"a ball about the middle of an edge", Sphere(0.5).Posed(at(0.5, 0.0, 0.0)), pi / 24.0},
      {"a ball that touches a face", Sphere(0.25).Posed(at(0.5, 0.5, 0.25)), pi / 48.0},
      {"a ball in all faces", Sphere(0.5).Posed(at(0.5, 0.5, 0.5)), pi / 6.0},
      {"a cylinder along an edge", Cylinder(0.5, 3.0), pi / 16.0},
      {"a cylinder through an edge", Cylinder(0.5, 3.0).Posed(at(0.5, 0.0, 0.0)), pi / 8.0},
      {"a cylinder through edges", Cylinder(std::sqrt(0.5), 1.5).Posed(at(0.5, 0.5, 0.5)), 1.0},
      {"a cylinder that ends in faces", Cylinder(0.2, 1.0).Posed(at(0.3, 0.6, 0.5)), pi * 0.04,
       true},
      {"a cylinder that ends in a face", Cylinder(0.2, 0.8).Posed(at(0.3, 0.6, 0.6)), pi * 0.032,
       true},
      {"a cone with its tip in a face", Cone(0.25, 1.0).Posed(at(0.3, 0.6, 0.0)), pi / 48.0, true},
      {"the same from above", Cone(0.25, 1.0).Posed(down), pi / 48.0, true},
      {"a cone on a corner", Cone(0.5, 0.5), pi / 96.0},
      {"the same box with a ball", Union({block, Sphere(0.2).Posed(at(1.0, 0.5, 0.5))}), 1.0, true},
      {"the same box less a ball", Difference(block, {Sphere(0.3).Posed(at(0.5, 0.5, 1.0))}),
       1.0 - pi * 0.018, true},
      {"a part of the box", Intersection({low, Cylinder(0.4, 3.0).Posed(at(0.5, 0.5, 0.5))}),
       pi * 0.08, true},
      {"a box beside with a ball",
       Union(
           {Box(Vector3d::Ones()).Posed(at(0.8, 0.5, 0.5)), Sphere(0.2).Posed(at(0.3, 0.5, 0.5))}),
       0.7 + pi * 0.016 / 3.0, true}};
}

// B's area vector, less that by differences of V, which are means of one-sided derivatives.
double AreaError(const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB) {
  constexpr double kStep = 1e-4;
  const Vector3d found = pair.Query(X_WA, X_WB, Tight()).area_vector_W;
  Vector3d by_differences;
  for (int i = 0; i < 3; ++i) {
    const auto at = [&](double step) {
      return pair.Query(X_WA, Pose{X_WB.t + step * Vector3d::Unit(i), X_WB.q}, Tight()).volume;
    };
    by_differences[i] = (at(kStep) - at(-kStep)) / (2.0 * kStep);
  }
  return (found - by_differences).norm();
}

class MeshArcsInAlignment : public ::testing::TestWithParam<int> {};

// In any pose, whichever body the mesh is, of few faces or of many.
TEST_P(MeshArcsInAlignment, AreRight) {
  const Aligned aligned = AlignedSolids()[GetParam()];
  const Solid block = Box(Vector3d::Ones()).Posed(Pose{Vector3d::Constant(0.5)});
  Random random(kSeed + GetParam());
  for (int n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const Solid cube = Mesh(BoxMesh(Vector3d::Zero(), Vector3d::Ones(), n + 1));
    const Pose X = n == 0 ? Pose{} : random.PoseAt(random.UniformVector(-2.0, 2.0));
    const PreparedPair pair =
        n == 2 ? PreparedPair(aligned.solid, cube) : PreparedPair(cube, aligned.solid);
    const Metrics found = pair.Query(X, X, Tight());
    EXPECT_TRUE(found.converged);
    EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
    EXPECT_NEAR(found.volume, aligned.volume, 1e-9 * aligned.volume);
    EXPECT_EQ(pair.Overlaps(X, X), OverlapProof::kOverlap);
    const Metrics expected =
        (n == 2 ? PreparedPair(aligned.solid, block) : PreparedPair(block, aligned.solid))
            .Query(X, X, Tight(1e-8));
    EXPECT_LE((found.centroid_W - expected.centroid_W).norm(), 1e-8);
    EXPECT_LE((found.inertia_W - expected.inertia_W).norm(), 1e-8);
    if (!aligned.flush) {
      EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-7);
    }
    EXPECT_LE(AreaError(pair, X, X), 3e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Solids, MeshArcsInAlignment,
                         ::testing::Range(0, static_cast<int>(AlignedSolids().size())));

// What only touches is no overlap, nor is it proved to be apart.
TEST(MeshArcsInAlignment, TouchWithoutOverlap) {
  Random random(kSeed);
  const Solid cube = Mesh(BoxMesh(Vector3d::Zero(), Vector3d::Ones(), 2));
  const Pose on_top{{0.3, 0.6, 1.5}};
  const Solid others[] = {Cylinder(0.2, 1.0).Posed(on_top),
                          Cone(0.2, 1.0).Posed(Pose{{0.3, 0.6, 1.0}}),
                          Union({Box(Vector3d::Ones()).Posed(on_top), Sphere(0.3).Posed(on_top)})};
  for (const Solid& other : others) {
    for (int n = 0; n < 3; ++n) {
      const Pose X = n == 0 ? Pose{} : random.PoseAt(random.UniformVector(-2.0, 2.0));
      const PreparedPair pair(cube, other);
      const Metrics found = pair.Query(X, X, Tight());
      EXPECT_FALSE(found.overlap);
      EXPECT_TRUE(found.converged);
      EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
      EXPECT_NE(pair.Overlaps(X, X), OverlapProof::kOverlap);
    }
  }
}

// A box that stands flush on a face, and a ball in it that dips in: only that overlaps.
TEST(MeshArcsInAlignment, DipsBesideWhatTouches) {
  const Solid cube = Mesh(BoxMesh(Vector3d::Zero(), Vector3d::Ones(), 3));
  const Solid stand = Union({Box({1.0, 1.0, 0.5}).Posed(Pose{{0.5, 0.5, 1.25}}),
                             Sphere(0.2).Posed(Pose{{0.5, 0.5, 1.0}})});
  const Metrics found = PreparedPair(cube, stand).Query(Pose{}, Pose{}, Tight());
  EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
  EXPECT_NEAR(found.volume, pi * 0.016 / 3.0, 1e-12);
  EXPECT_LE((found.area_vector_W - Vector3d(0.0, 0.0, -pi * 0.04)).norm(), 1e-10);
}

}  // namespace
}  // namespace volcontact::testing::mesh_aligned_test
