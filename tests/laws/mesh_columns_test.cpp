// Meshes beside surfaces that have no sums over edges, by columns, and certified bounds of volumes
// with meshes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::mesh_columns_test {
namespace {

using Eigen::Vector3d;

// |x|⁴ + |y|⁴ + |z|⁴ <= 1/16
Solid RoundCube() {
  return PolynomialSolid(
      {{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-0.0625, {0, 0, 0}}});
}

// As the same box without a mesh, at any depth.
TEST(MeshColumns, ServeAnyPolynomial) {
  const Vector3d half(0.5, 0.4, 0.3);
  const Solid mesh = Mesh(BoxMesh(-half, half, 2)), box = Box(2.0 * half);
  Random random(5);
  for (int n = 0; n < 12; ++n) {
    SCOPED_TRACE(n);
    const Vector3d n_A = random.UnitVector();
    const Pose X = random.PoseAt((n % 3 == 0 ? 0.75 : 0.5) * n_A);
    const Solid round = Union({RoundCube(), Sphere(0.2).Posed(Pose{{0.4, 0.1, 0.3}})});
    QueryOptions options;
    options.tolerance = 1e-6;
    const Metrics expected = PreparedPair(box, round).Query(Pose(), X, options);
    options.tolerance = 2e-3;
    const Metrics found = PreparedPair(mesh, round).Query(Pose(), X, options);
    ASSERT_EQ(found.overlap, expected.overlap);
    if (!found.overlap) continue;
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.method, Method::kColumns);
    EXPECT_NE(found.stats.fallback, "");
    EXPECT_NEAR(found.volume, expected.volume, 2e-3 * expected.volume);
    const double length = std::cbrt(expected.volume);
    EXPECT_LE((found.centroid_W - expected.centroid_W).norm(), 4e-3 * length);
    EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 2e-2 * length * length);
    EXPECT_NEAR(found.contact_area, expected.contact_area, 2e-2 * expected.contact_area);
    ASSERT_TRUE(found.volume_bounds);
    EXPECT_LE((*found.volume_bounds)[0], expected.volume * (1.0 + 1e-6));
    EXPECT_GE((*found.volume_bounds)[1], expected.volume * (1.0 - 1e-6));
  }
}

// Bounds that are asked for hold the sums over arcs, and are narrow.
TEST(MeshColumns, BoundsAreNarrow) {
  const Solid meshes[] = {Mesh(SphereMesh(0.5, 3)), Mesh(GearMesh(12, 0.5, 0.3)),
                          Mesh(BoxMesh({-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}))};
  const Solid others[] = {Sphere(0.3), Cylinder(0.2, 0.8), Torus(0.3, 0.1),
                          Difference(Box({0.6, 0.5, 0.4}), {Cylinder(0.1, 1.0)})};
  Random random(6);
  for (const Solid& mesh : meshes) {
    for (const Solid& other : others) {
      const Pose X = random.PoseAt(0.4 * random.UnitVector());
      QueryOptions options;
      options.tolerance = 1e-10;
      const PreparedPair pair(mesh, other);
      const Metrics exact = pair.Query(Pose(), X, options);
      if (!exact.overlap) continue;
      options.bracket_width = 3e-2;
      const Metrics bounded = pair.Query(Pose(), X, options);
      EXPECT_TRUE(bounded.converged);
      const auto [lower, upper] = *bounded.volume_bounds;
      EXPECT_LE(lower, exact.volume);
      EXPECT_GE(upper, exact.volume);
      EXPECT_LE(upper - lower, 3e-2 * upper);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::mesh_columns_test
