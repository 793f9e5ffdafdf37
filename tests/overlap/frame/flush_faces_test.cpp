// Surfaces of A and B that coincide, where the face on them is one body's alone.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <vector>

#include "overlap/columns/column_method.h"
#include "overlap/region_testing.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing {
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
      const double sign = metrics.area_vector_W.dot(expected) < 0.0 ? -1.0 : 1.0;
      EXPECT_LE((sign * metrics.area_vector_W - expected).norm(), 1e-7);
      EXPECT_LE((metrics.area_vector_W + other.area_vector_W).norm(), 1e-7);
    }
  }
}

TEST(FlushFaces, ByColumns) {
  for (const Scene& scene : Scenes()) {
    const Pose askew = PoseAt(0.1, -0.2, 0.3, 0.4, 0.5, -0.3);
    const SurfaceSet set = RegionOf(scene.A.Posed(askew), scene.B.Posed(askew));
    const Aabb box = Intersect(scene.A.Posed(askew).Bounds(), scene.B.Posed(askew).Bounds());
    const RawMetrics raw = ColumnMethod().Run(set, box, {.tolerance = 1e-6}).raw;
    const Vector3d expected = Rigid(askew).RotationDouble() * scene.area;
    EXPECT_LE((raw.X_AC.RotationDouble() * raw.area - expected).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace volcontact::testing
