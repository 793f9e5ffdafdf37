// The connected components of overlaps of meshes.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "overlap/meshes/patch_checks.h"
#include "solids/mesh_check/disjoint_sets.h"
#include "support/meshes.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::patches_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 173205080;

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

// The patches of two solids, which must add up to the whole, whichever comes first.
std::vector<Metrics> Patches(const Solid& A, const Solid& B, const Pose& X_AB = {}) {
  const PreparedPair pair(A, B);
  const std::vector<Metrics> patches = pair.QueryPatches(Pose{}, X_AB);
  ExpectAddUp(patches, pair.QueryRelative(X_AB));
  const std::vector<Metrics> swapped = PreparedPair(B, A).QueryPatches(X_AB, Pose{});
  EXPECT_EQ(swapped.size(), patches.size());
  return patches;
}

std::vector<Metrics> Patches(const TriangleMesh& A, const TriangleMesh& B, const Pose& X_AB = {}) {
  return Patches(Mesh(A), Mesh(B), X_AB);
}

// Legs down from a beam along x, each a unit cell, a unit apart.
TriangleMesh Comb(int legs) {
  std::vector<Cell> cells;
  for (int x = 0; x < 2 * legs - 1; ++x) {
    cells.push_back({x, 0, 1});
    if (x % 2 == 0) cells.push_back({x, 0, 0});
  }
  return Polycube(cells);
}

// A box whose top, at z = 0, is two triangles.
TriangleMesh Plate(double size) { return BoxMesh({-size, -size, -3.0}, {size, size, 0.0}); }

TEST(MeshPatches, EachFootOfABridgeIsOne) {
  const Pose X_AB = At({-1.25, -0.5, -0.125});
  for (const double size : {3.0, 1000.0}) {
    const std::vector<Metrics> patches = Patches(Plate(size), Comb(2), X_AB);
    ASSERT_EQ(patches.size(), 2u);
    // Equal volumes: by x.
    for (int i = 0; i < 2; ++i) {
      const Metrics& patch = patches[i];
      EXPECT_TRUE(patch.converged);
      EXPECT_EQ(patch.method, Method::kBoundary);
      EXPECT_NEAR(patch.volume, 0.125, 1e-15);
      EXPECT_LE((patch.centroid_W - Vector3d(-0.75 + 2.0 * i, 0.0, -0.0625)).norm(), 1e-14);
      EXPECT_LE((patch.area_vector_W + Vector3d::UnitZ()).norm(), 1e-14);
      EXPECT_LE((patch.normal_W + Vector3d::UnitZ()).norm(), 1e-14);
      EXPECT_NEAR(patch.contact_area, 1.0, 1e-14);
      EXPECT_NEAR(patch.mean_height, 0.125, 1e-14);
    }
  }
}

TEST(MeshPatches, TeethOfACombOnAllPolyhedra) {
  const Solid comb = Mesh(Comb(12));
  const Pose X_AB = At({-11.3, -0.3, -0.2});
  const Solid plates[] = {Mesh(Plate(50.0)), Box({100.0, 100.0, 3.0}).Posed(At({0.0, 0.0, -1.5})),
                          HalfSpace(), Slab(3.0).Posed(At({0.0, 0.0, -1.5}))};
  for (const Solid& plate : plates) {
    const std::vector<Metrics> patches = Patches(plate, comb, X_AB);
    ASSERT_EQ(patches.size(), 12u);
    for (const Metrics& patch : patches) EXPECT_NEAR(patch.volume, 0.2, 1e-14);
  }
}

TEST(MeshPatches, RingIsOne) {
  const TriangleMesh torus = TorusMesh(1.0, 0.375, 24, 12);
  for (const double size : {2.0, 100.0}) {
    for (const double height : {-0.2, 0.001, 0.3}) {
      EXPECT_EQ(Patches(Plate(size), torus, At({0.01, 0.02, height})).size(), 1u);
    }
    // Upright, it dips two ends of an arc into the plate, or one.
    const Pose upright = AxisAngle(Vector3d::UnitX(), 1.5, {0.0, 0.0, 0.5});
    EXPECT_EQ(Patches(Plate(size), torus, upright).size(), 1u);
    const Pose deep = AxisAngle(Vector3d::UnitX(), 1.5, {0.0, 0.0, -1.0});
    EXPECT_EQ(Patches(Plate(size), torus, deep).size(), 1u);
    const TriangleMesh slice = BoxMesh({-size, -size, -0.1}, {size, size, 0.1});
    EXPECT_EQ(Patches(slice, torus, AxisAngle(Vector3d::UnitX(), 1.5)).size(), 2u);
  }
}

// The mouth of the pocket is a hole in the region on the plate's face, and nothing else joins the
// pocket's walls to the outside.
TEST(MeshPatches, BlindPocketBelongsToItsBlock) {
  std::vector<Cell> cells;
  for (int i = 0; i < 18; ++i) {
    if (i != 4) cells.push_back({i % 3, i / 3 % 3, i / 9});
  }
  const TriangleMesh block = Polycube(cells);
  const TriangleMesh above = BoxMesh({-20.0, -20.0, 0.5}, {20.0, 20.0, 9.0});
  for (const Vector3d& t : {Vector3d(0.1, 0.2, 0.0), Vector3d(7.0, -9.0, 0.0),
                            Vector3d(-9.0, 7.0, 0.0), Vector3d(-0.6, -2.3, 0.0)}) {
    const std::vector<Metrics> patches = Patches(above, block, At(t));
    ASSERT_EQ(patches.size(), 1u);
    EXPECT_NEAR(patches[0].volume, 13.0, 1e-13);
  }
}

TEST(MeshPatches, CavitiesSubtract) {
  const TriangleMesh ball = SphereMesh(1.0, 3), inner = SphereMesh(0.5, 3);
  const TriangleMesh core = SphereMesh(0.25, 2);
  const TriangleMesh shell = Joined(ball, Reversed(inner));
  const double volume_inner = ComputeMassProperties(Mesh(inner)).volume;
  const double volume_core = ComputeMassProperties(Mesh(core)).volume;
  // The box holds all, or cuts through the outer surface alone, or through both.
  for (const double side : {2.0, 0.75, 0.125}) {
    const TriangleMesh box = BoxMesh({-2.0, -2.0, -2.0}, {side, 2.0, 2.0});
    const Metrics whole = PreparedPair(Mesh(box), Mesh(ball)).QueryRelative(Pose{});
    const std::vector<Metrics> one = Patches(box, shell);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_TRUE(one[0].overlap);
    if (side > 0.5) {
      EXPECT_NEAR(one[0].volume, whole.volume - volume_inner, 1e-13);
    }
    // What floats in the cavity is another one.
    const std::vector<Metrics> two = Patches(box, Joined(shell, core));
    ASSERT_EQ(two.size(), 2u);
    if (side > 0.5) {
      EXPECT_NEAR(two[1].volume, volume_core, 1e-15);
    }
  }
  // A cavity in the core goes with the core.
  const TriangleMesh hollow = Joined(core, Reversed(SphereMesh(0.125, 2)));
  const std::vector<Metrics> two =
      Patches(BoxMesh({-2.0, -2.0, -2.0}, {2.0, 2.0, 2.0}), Joined(shell, hollow));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NEAR(two[1].volume, volume_core * (1.0 - 0.125), 1e-14);
}

TEST(MeshPatches, IdenticalAndNested) {
  Random random(kSeed);
  for (const TriangleMesh& mesh : {StarMesh(&random, 3, 0.2), GearMesh(9, 1.0, 0.5), LPrism()}) {
    const std::vector<Metrics> same = Patches(mesh, mesh);
    ASSERT_EQ(same.size(), 1u);
    const std::vector<Metrics> nested =
        Patches(BoxMesh({-9.0, -9.0, -9.0}, {9.0, 9.0, 9.0}), mesh, random.PoseAt({1.0, 2.0, 3.0}));
    ASSERT_EQ(nested.size(), 1u);
    EXPECT_NEAR(nested[0].volume, same[0].volume, 1e-13);
    EXPECT_NEAR(nested[0].area_vector_W.norm(), 0.0, 1e-13);
  }
}

TEST(MeshPatches, TouchingIsNone) {
  const TriangleMesh cube = BoxMesh({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, 2);
  for (const Vector3d& t : {Vector3d(1.0, 0.0, 0.0), Vector3d(1.0, 1.0, 0.5),
                            Vector3d(-1.0, 1.0, 1.0), Vector3d(0.0, 0.25, -1.0)}) {
    EXPECT_TRUE(Patches(cube, cube, At(t)).empty());
  }
  EXPECT_TRUE(Patches(cube, cube, At({3.0, 0.0, 0.0})).empty());
}

TEST(MeshPatches, EdgesAndVerticesJoinNothing) {
  const TriangleMesh box = BoxMesh({-5.0, -5.0, -5.0}, {5.0, 5.0, 5.0});
  const std::vector<std::vector<Cell>> pairs = {{{0, 0, 0}, {1, 1, 0}},
                                                {{0, 1, 0}, {1, 0, 0}},
                                                {{0, 0, 0}, {1, 1, 1}},
                                                {{0, 0, 1}, {1, 1, 0}}};
  for (const std::vector<Cell>& cells : pairs) {
    for (const Vector3d& t : {Vector3d::Zero().eval(), Vector3d(0.5, 0.25, 4.125)}) {
      // All within, or cut across the common edge.
      const bool cut = t.x() > 0.0;
      const std::size_t outside = cut && cells[1][2] != cells[0][2] ? 1 : 0;
      EXPECT_EQ(Patches(box, Polycube(cells), At(t)).size(), 2u - outside);
    }
  }
}

std::vector<Cell> RandomCells(Random* random) {
  std::vector<Cell> cells = {{0, 0, 0}};
  for (int i = 1; i < 64; ++i) {
    if (random->Uniform(0.0, 1.0) < 0.4) cells.push_back({i % 4, i / 4 % 4, i / 16});
  }
  return cells;
}

// Whether cells with corners c and d, B's moved by an offset in [0, 1)³, share volume.
bool Meet(const Cell& c, const Cell& d, bool aligned) {
  for (int i = 0; i < 3; ++i) {
    const int apart = c[i] - d[i];
    if (apart < 0 || apart > (aligned ? 0 : 1)) return false;
  }
  return true;
}

bool Adjacent(const Cell& c, const Cell& d) {
  return std::abs(c[0] - d[0]) + std::abs(c[1] - d[1]) + std::abs(c[2] - d[2]) == 1;
}

// Pairs of cells that meet are connected if they share one cell and the others are adjacent.
std::size_t CountPatches(const std::vector<Cell>& A, const std::vector<Cell>& B, bool aligned) {
  std::vector<std::pair<Cell, Cell>> common;
  for (const Cell& a : A) {
    for (const Cell& b : B) {
      if (Meet(a, b, aligned)) common.emplace_back(a, b);
    }
  }
  DisjointSets sets(static_cast<int>(common.size()));
  std::size_t count = common.size();
  for (std::size_t i = 0; i < common.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto& [a, b] = common[i];
      const auto& [c, d] = common[k];
      const bool joined =
          aligned ? Adjacent(a, c) : (a == c && Adjacent(b, d)) || (b == d && Adjacent(a, c));
      const auto x = static_cast<int>(i), y = static_cast<int>(k);
      if (!joined || sets.Find(x) == sets.Find(y)) continue;
      sets.Join(x, y);
      --count;
    }
  }
  return count;
}

// Many cells that share no more than edges and vertices, cavities, and pockets.
TEST(MeshPatches, HeapsOfCellsAreCounted) {
  Random random(kSeed + 1);
  std::size_t most = 0;
  for (int sample = 0; sample < 60; ++sample) {
    SCOPED_TRACE(sample);
    const std::vector<Cell> A = RandomCells(&random), B = RandomCells(&random);
    const std::vector<Metrics> patches = Patches(Polycube(A), Polycube(B), At({0.5, 0.25, 0.125}));
    EXPECT_EQ(patches.size(), CountPatches(A, B, false));
    most = std::max(most, patches.size());
  }
  EXPECT_GE(most, 8u);
}

// Sheets of touching faces may connect patches, but patches stay closed.
TEST(MeshPatches, FlushCellsAddUp) {
  Random random(kSeed + 2);
  for (int sample = 0; sample < 60; ++sample) {
    SCOPED_TRACE(sample);
    const std::vector<Cell> A = RandomCells(&random), B = RandomCells(&random);
    const PreparedPair pair(Mesh(Polycube(A)), Mesh(Polycube(B)));
    const std::vector<Metrics> patches = pair.QueryPatches(Pose{}, Pose{});
    double volume = 0.0;
    for (const Metrics& patch : patches) volume += patch.volume;
    EXPECT_NEAR(volume, pair.QueryRelative(Pose{}).volume, 1e-12);
    EXPECT_LE(patches.size(), CountPatches(A, B, true));
  }
}

TEST(MeshPatches, GearTeethInARing) {
  constexpr int kTeeth = 16;
  const TriangleMesh gear = GearMesh(kTeeth, 1.0, 0.5);
  double inner = 10.0;
  for (const Vector3d& p : gear.vertices) {
    if (p.head<2>().norm() > 1e-9) inner = std::min(inner, p.head<2>().norm());
  }
  // A ring that the tips reach into and the roots do not.
  const double hole = 0.5 * (inner + 1.0);
  const TriangleMesh wide = StarPrism(std::vector<double>(64, 2.0), 0.4);
  const Solid ring = Mesh(Joined(wide, Reversed(StarPrism(std::vector<double>(64, hole), 0.2))));
  EXPECT_EQ(Patches(ring, Mesh(Mapped(gear,
                                      [](const Vector3d& p) -> Vector3d {
                                        return {p.x(), p.y(), 0.25 * p.z()};
                                      })))
                .size(),
            static_cast<std::size_t>(kTeeth));
}

TEST(MeshPatches, AddUpForRandomMeshes) {
  Random random(kSeed);
  int several = 0;
  for (int sample = 0; sample < 24; ++sample) {
    SCOPED_TRACE(sample);
    const TriangleMesh A = StarMesh(&random, 2, 0.45), B = StarMesh(&random, 3, 0.3);
    const Pose X_AB = random.PoseAt(random.UniformVector(0.5, 1.1));
    several += Patches(A, B, X_AB).size() > 1 ? 1 : 0;
  }
  EXPECT_GE(several, 6);
}

TEST(MeshPatches, MoveWithTheWorldFarAway) {
  Random random(kSeed);
  const PreparedPair pair(Mesh(Plate(5.0)), Mesh(Comb(3)));
  const Pose X_AB = At({-2.3, -0.5, -1e-6});
  const std::vector<Metrics> plain = pair.QueryPatches(Pose{}, X_AB);
  const Pose X_WA = random.PoseAt({100.0, 200.0, -50.0});
  const std::vector<Metrics> moved = pair.QueryPatches(X_WA, Compose(X_WA, X_AB));
  ASSERT_EQ(plain.size(), 3u);
  ASSERT_EQ(moved.size(), 3u);
  for (const Metrics& patch : plain) EXPECT_NEAR(patch.volume, 1e-6, 1e-18);
  for (const Metrics& patch : moved) EXPECT_NEAR(patch.volume, 1e-6, 1e-12);
}

TEST(MeshPatches, ConvexPairsHaveOneAtMost) {
  const PreparedPair pair(Sphere(1.0), Box({1.0, 1.0, 1.0}));
  const std::vector<Metrics> patches = pair.QueryPatches(Pose{}, At({1.0, 0.0, 0.0}));
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_TRUE(BitwiseEqual(patches[0], pair.QueryRelative(At({1.0, 0.0, 0.0}))));
  EXPECT_TRUE(pair.QueryPatches(Pose{}, At({3.0, 0.0, 0.0})).empty());
}

void ExpectRefusal(const std::function<void()>& run, const std::string& part) {
  try {
    run();
    FAIL() << "nothing thrown";
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(MeshPatches, RefusesWhatItCannotTell) {
  const Solid mesh = Mesh(LPrism());
  const auto query = [](const Solid& A, const Solid& B, const QueryOptions& options = {}) {
    return [=] { PreparedPair(A, B).QueryPatches(Pose{}, Pose{}, options); };
  };
  QueryOptions formula;
  formula.method = Method::kClosedForm;
  ExpectRefusal(query(mesh, Sphere(1.0), formula), "use auto, boundary or columns");
  QueryOptions columns;
  columns.method = Method::kColumns;
  ExpectRefusal(query(mesh, mesh, columns), "method columns does not apply to meshes");
  QueryOptions loose;
  loose.tolerance = 2.0;
  ExpectRefusal(query(mesh, mesh, loose), "tolerance is 2");
}

// A vertex in the middle of an edge, closed by a face without area.
TEST(MeshPatches, NameFacesWithoutArea) {
  TriangleMesh mesh = BoxMesh({-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0});
  const auto [a, b, c] = mesh.faces[0];
  const auto middle = static_cast<int>(mesh.vertices.size());
  mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
  mesh.faces[0] = {a, middle, c};
  mesh.faces.push_back({middle, b, c});
  mesh.faces.push_back({a, b, middle});
  const Vector3d near = mesh.vertices[a];
  const PreparedPair pair(Mesh(mesh), Mesh(SphereMesh(0.3, 2)));
  EXPECT_TRUE(pair.QueryRelative(At(0.25 * near)).overlap);
  ExpectRefusal([&] { pair.QueryPatches(Pose{}, At(0.75 * near + 0.25 * mesh.vertices[b])); },
                "contact patches: solid A: the mesh is not connected at face ");
}

}  // namespace
}  // namespace volcontact::testing::patches_test
