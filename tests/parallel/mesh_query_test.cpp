// One query on large meshes on several threads: the same bits as on one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::mesh_query_test {
namespace {

struct MeshQuery {
  std::string name;
  Solid A, B;
  Pose X_AB;
  double tolerance = 1e-8;
};

const Pose kTurned = {{0.31, -0.22, 0.17}, {0.36, 0.48, -0.64, 0.48}};

Pose At(double x, double y, double z) { return {{x, y, z}, Pose().q}; }

Solid Star(std::uint64_t seed, int level, double amplitude) {
  Random random(seed);
  return Mesh(StarMesh(&random, level, amplitude));
}

Solid Ball(double radius, int level) { return Mesh(SphereMesh(radius, level)); }

// Crossings along a loop, everywhere, and on few faces of one mesh; several shells; identical and
// flush faces, whose sums are made in double-doubles; nothing that crosses.
std::vector<MeshQuery> PairsOfMeshes() {
  const Solid star = Star(1, 4, 0.1), gear = Mesh(GearMesh(64, 1.0, 0.4));
  const Solid ball = Ball(1.0, 3), block = Mesh(BoxMesh({-1, -1, -1}, {1, 1, 1}, 16));
  const Solid shells = Mesh(Joined(SphereMesh(1.0, 4), Reversed(SphereMesh(0.6, 4))));
  return {
      {"deep", star, Star(2, 4, 0.1), kTurned},
      {"shallow", Ball(1.0, 5), Ball(1.0, 5), At(1.9, 0.1, -0.2)},
      {"rough", Star(3, 4, 0.3), Star(4, 4, 0.3), At(0.02, 0.01, 0.03)},
      {"gears", gear, gear, {{1.85, 0.1, 0.02}, Pose().q}},
      {"fine_and_coarse", star, Ball(0.9, 1), kTurned},
      {"shells", shells, star, kTurned},
      {"same", ball, ball, Pose()},
      {"flush", block, block, At(0.5, 0.25, 2.0 - 0x1p-20)},
      {"half_a_grid_aside", block, block, At(0.0625, 0.0625, 1.0)},
      {"within", Ball(0.3, 4), Ball(1.0, 4), At(0.1, 0.2, 0.1)},
      {"slab", star, Slab(0.8), kTurned},
  };
}

// The same with curved solids; faces that lie on planes of these, edges found in cells, several
// terms, surfaces that cut most faces.
std::vector<MeshQuery> MeshesBesideCurvedSolids() {
  const Solid star = Star(5, 4, 0.1), block = Mesh(BoxMesh({-1, -1, -1}, {1, 1, 1}, 16));
  const Solid bracket = Difference(Union({Box({3.0, 0.8, 0.8}), Cylinder(0.5, 3.0)}),
                                   {Torus(1.0, 0.2).Posed(At(0.0, 0.0, 0.1))});
  return {
      {"ball", star, Sphere(0.6), At(0.7, 0.4, 0.1)},
      {"shell", star, Sphere(1.0), At(0.02, 0.01, 0.0)},
      {"pin", Cylinder(0.7, 3.0), star, kTurned},
      {"cone", star, Cone(0.9, 1.5), kTurned},
      {"ring", star, Torus(0.8, 0.3), kTurned},
      {"bracket", bracket, star, kTurned},
      {"pin_on_block", block, Cylinder(0.7, 2.0), At(0.1, 0.2, 1.5)},
      {"pin_flush_with_block", block, Cylinder(0.7, 0.8), At(0.1, 0.2, 0.6)},
      {"with_parts_beside", Union({star, Sphere(0.5).Posed(At(1.0, 0.0, 0.0))}), Cylinder(0.4, 4.0),
       At(0.6, 0.1, 0.0)},
  };
}

void ExpectTheSame(const MeshQuery& query, const std::vector<int>& numbers) {
  const PreparedPair prepared(query.A, query.B);
  QueryOptions options;
  options.tolerance = query.tolerance;
  const Metrics expected = prepared.QueryRelative(query.X_AB, options);
  EXPECT_TRUE(expected.overlap);
  for (const int threads : numbers) {
    SCOPED_TRACE(::testing::Message() << "threads " << threads);
    options.threads = threads;
    // What other threads were given to do leaves its traces in their memory.
    for (int pass = 0; pass < 2; ++pass) {
      EXPECT_TRUE(BitwiseEqual(prepared.QueryRelative(query.X_AB, options), expected));
    }
  }
  // And on one after many.
  options.threads = 1;
  EXPECT_TRUE(BitwiseEqual(prepared.QueryRelative(query.X_AB, options), expected));
}

class MeshQueries : public ::testing::TestWithParam<MeshQuery> {};

TEST_P(MeshQueries, AreTheSameForAnyNumber) { ExpectTheSame(GetParam(), {2, 4, 8}); }

std::string QueryName(const ::testing::TestParamInfo<MeshQuery>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Pairs, MeshQueries, ::testing::ValuesIn(PairsOfMeshes()), QueryName);
INSTANTIATE_TEST_SUITE_P(Mixed, MeshQueries, ::testing::ValuesIn(MeshesBesideCurvedSolids()),
                         QueryName);

TEST(MeshPatchesOnThreads, AreTheSame) {
  const PreparedPair prepared(Star(6, 4, 0.3), Star(7, 4, 0.3));
  QueryOptions options;
  const std::vector<Metrics> expected = prepared.QueryPatches(Pose{}, At(1.8, 0.0, 0.0), options);
  EXPECT_GT(expected.size(), 1u);
  options.threads = 4;
  const std::vector<Metrics> patches = prepared.QueryPatches(Pose{}, At(1.8, 0.0, 0.0), options);
  ASSERT_EQ(patches.size(), expected.size());
  for (std::size_t k = 0; k < patches.size(); ++k) {
    EXPECT_TRUE(BitwiseEqual(patches[k], expected[k]));
  }
}

// Small enough for the thread sanitizer, and yet with all loops.
TEST(MeshQueryOnThreads, IsTheSameForMeshes) {
  ExpectTheSame({"deep", Star(1, 3, 0.1), Star(2, 4, 0.1), kTurned}, {2, 3});
  ExpectTheSame({"same", Ball(1.0, 2), Ball(1.0, 2), Pose()}, {2});
}

TEST(MeshQueryOnThreads, IsTheSameBesideCurvedSolids) {
  const Solid star = Star(5, 4, 0.1);
  ExpectTheSame({"pin", star, Cylinder(0.7, 3.0), kTurned}, {2, 3});
  ExpectTheSame({"ring", star, Torus(0.8, 0.3), kTurned}, {2});
}

}  // namespace
}  // namespace volcontact::testing::mesh_query_test
