// The octree's cells over an overlap, against its volume and the solids' membership.
#include "volcontact/display/overlap_cells.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>
#include <random>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

struct CellsCase {
  Solid A, B;
  Pose X_WA, X_WB;
};

std::vector<CellsCase> Cases() {
  const Pose turned{{0.3, -0.2, 0.5}, {0.5, 0.5, -0.5, 0.5}};
  const Pose askew = Compose(turned, {{0.01, 0.02, 0.0995}, {0.8, 0.36, 0.48, 0.0}});
  const Solid bush = Difference(Cylinder(0.05, 0.2), {InfiniteCylinder(0.02)});
  return {{Sphere(0.1), HalfSpace(), askew, turned},
          {Box({0.2, 0.2, 0.2}), bush, Compose(turned, {{0.0, 0.11, 0.02}}), turned}};
}

// What is certainly inside is less, all that is left is more than the volume, and the two come
// together as the cells get smaller.
TEST(OverlapCells, HoldTheVolumeBetweenThem) {
  for (const CellsCase& pair : Cases()) {
    const double volume = PreparedPair(pair.A, pair.B).Query(pair.X_WA, pair.X_WB).volume;
    double last_gap = std::numeric_limits<double>::infinity();
    for (const int levels : {0, 2, 4, 5}) {
      const OverlapCells found = FindOverlapCells(pair.A, pair.X_WA, pair.B, pair.X_WB, levels);
      double inside = 0.0, all = 0.0;
      for (const OverlapCell& cell : found.cells) {
        const double size = 8.0 * cell.half.prod();
        all += size;
        if (cell.inside) inside += size;
      }
      EXPECT_LE(inside, volume) << levels;
      EXPECT_GE(all, volume * (1.0 - 1e-12)) << levels;
      EXPECT_LE(all - inside, last_gap) << levels;
      last_gap = all - inside;
    }
    EXPECT_LT(last_gap, 0.35 * volume);
  }
}

TEST(OverlapCells, ThatAreInsideLieInBothSolids) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-0.999, 0.999);
  for (const CellsCase& pair : Cases()) {
    const OverlapCells found = FindOverlapCells(pair.A, pair.X_WA, pair.B, pair.X_WB);
    int count = 0;
    for (const OverlapCell& cell : found.cells) {
      if (!cell.inside) continue;
      ++count;
      const Vector3d share(uniform(random), uniform(random), uniform(random));
      const Vector3d p = found.X_WC * (cell.center_C + share.cwiseProduct(cell.half));
      EXPECT_EQ(pair.A.Locate(Inverse(pair.X_WA) * p), Membership::kInside);
      EXPECT_EQ(pair.B.Locate(Inverse(pair.X_WB) * p), Membership::kInside);
    }
    EXPECT_GT(count, 10);
  }
}

TEST(OverlapCells, AreNoneWithoutAnOverlapAndRefusedForMeshes) {
  const Pose above{{0.0, 0.0, 0.3}};
  EXPECT_TRUE(FindOverlapCells(Sphere(0.1), above, HalfSpace(), {}).cells.empty());
  const Solid mesh = Mesh(
      {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  EXPECT_THROW(FindOverlapCells(mesh, {}, Sphere(0.1), {}), InvalidInput);
  EXPECT_THROW(FindOverlapCells(Sphere(0.1), {}, Sphere(0.1), {}, 7), InvalidInput);
  EXPECT_THROW(FindOverlapCells(HalfSpace(), {}, HalfSpace(), {}), InvalidInput);
}

}  // namespace
}  // namespace volcontact
