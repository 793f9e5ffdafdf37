// Meshes in special position: every tie must be broken so that the answer is that of the solids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::degenerate_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20240229;
const Pose kGeneric = {{0.1, -0.05, 0.2}, {0.36, 0.48, -0.64, 0.48}};

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

Metrics QueryMeshes(const TriangleMesh& A, const TriangleMesh& B, const Pose& X_AB = {}) {
  return PreparedPair(Mesh(A), Mesh(B)).QueryRelative(X_AB);
}

Truth MassTruth(const TriangleMesh& mesh) {
  Truth truth = TruthFrom(ComputeMassProperties(Mesh(mesh)), 1e-14);
  truth.area_uncertainty = std::numeric_limits<double>::infinity();
  return truth;
}

TriangleMesh UnitCube(int n = 1) { return BoxMesh({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, n); }

std::vector<std::pair<std::string, TriangleMesh>> Zoo() {
  Random random(kSeed);
  return {{"cube", UnitCube()},
          {"divided cube", UnitCube(5)},
          {"sphere", SphereMesh(1.0, 2)},
          {"star", StarMesh(&random, 2, 0.2)},
          {"hull", HullMesh(&random, 14)},
          {"torus", TorusMesh(1.0, 0.3, 17, 11)},
          {"gear", GearMesh(9, 1.0, 0.4)},
          {"L", LPrism()},
          {"shell", Joined(SphereMesh(1.0, 1), Reversed(SphereMesh(0.5, 1)))}};
}

// Overlap of the unit cells at a and at b + shift, with its first moment.
void AddCellOverlap(const Cell& a, const Cell& b, const Vector3d& shift, double* volume,
                    Vector3d* first) {
  Vector3d low, high;
  for (int i = 0; i < 3; ++i) {
    low[i] = std::max<double>(a[i], b[i] + shift[i]);
    high[i] = std::min<double>(a[i] + 1, b[i] + shift[i] + 1.0);
  }
  if ((high - low).minCoeff() <= 0.0) return;
  *volume += (high - low).prod();
  *first += (high - low).prod() * 0.5 * (low + high);
}

void ExpectCells(const std::vector<Cell>& a, const std::vector<Cell>& b, const Vector3d& shift,
                 const Metrics& metrics) {
  SCOPED_TRACE(::testing::Message() << "shift " << shift.transpose());
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  for (const Cell& p : a) {
    for (const Cell& q : b) AddCellOverlap(p, q, shift, &volume, &first);
  }
  if (volume == 0.0) return ExpectNoOverlap(metrics);
  EXPECT_NEAR(metrics.volume, volume, 1e-13 * volume);
  EXPECT_LE((metrics.centroid_W - first / volume).norm(), 1e-13 * 10.0);
  ASSERT_TRUE(metrics.volume_bounds);
  EXPECT_LE((*metrics.volume_bounds)[0], volume);
  EXPECT_GE((*metrics.volume_bounds)[1], volume);
  ExpectConsistent(metrics);
}

std::vector<Cell> RandomCells(Random* random, int size, double density) {
  std::vector<Cell> cells = {{0, 0, 0}};
  for (int i = 1; i < size * size * size; ++i) {
    if (random->Uniform(0.0, 1.0) > density) continue;
    cells.push_back({i % size, i / size % size, i / size / size});
  }
  return cells;
}

TEST(DegenerateMeshes, CubesThatOnlyTouch) {
  for (const int n : {1, 2, 3}) {
    const PreparedPair pair(Mesh(UnitCube(n)), Mesh(UnitCube()));
    for (const double x : {-1.0, -0.5, 0.0, 0.25, 1.0}) {
      for (const double y : {-1.0, -0.5, 0.0, 0.25, 1.0}) {
        for (const double z : {-1.0, 1.0}) {
          for (const Vector3d& t : {Vector3d(x, y, z), Vector3d(y, z, x), Vector3d(z, x, y)}) {
            SCOPED_TRACE(::testing::Message() << n << " parts, at " << t.transpose());
            const Metrics metrics = pair.QueryRelative(At(t));
            ExpectNoOverlap(metrics);
            EXPECT_EQ(metrics.distance, 0.0);
          }
        }
      }
    }
  }
}

TEST(DegenerateMeshes, TouchingFarFromTheOrigin) {
  const TriangleMesh A = Translated(UnitCube(2), {1024.0, -512.0, 256.0});
  ExpectNoOverlap(QueryMeshes(A, UnitCube(3), At({1025.0, -511.5, 256.0})));
  ExpectNoOverlap(QueryMeshes(A, UnitCube(3), At({1024.0, -512.0, 255.0})));
}

TEST(DegenerateMeshes, FlushFacesInside) {
  // A corner, an edge and a face of the small cube on those of the large one.
  for (const Vector3d& t : {Vector3d(0.0, 0.0, 0.0), Vector3d(0.5, 0.25, 0.0),
                            Vector3d(0.5, 0.0, 0.5), Vector3d(0.25, 0.25, 0.25)}) {
    SCOPED_TRACE(t.transpose());
    const TriangleMesh small = BoxMesh({0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}, 2);
    ExpectMetrics(QueryMeshes(UnitCube(4), small, At(t)), MassTruth(Translated(small, t)), 1e-13);
  }
}

TEST(DegenerateMeshes, MeshAgainstItself) {
  for (const auto& [name, mesh] : Zoo()) {
    SCOPED_TRACE(name);
    ExpectMetrics(QueryMeshes(mesh, mesh), MassTruth(mesh), 1e-12);
  }
}

// A pose with rotation whose inverse is in the vertices only to rounding.
TEST(DegenerateMeshes, MeshAlmostAgainstItself) {
  for (const auto& [name, mesh] : Zoo()) {
    SCOPED_TRACE(name);
    const TriangleMesh turned = Mapped(mesh, [](const Vector3d& p) { return kGeneric * p; });
    ExpectMetrics(QueryMeshes(turned, mesh, kGeneric), MassTruth(turned), 1e-12);
  }
}

TEST(DegenerateMeshes, TranslatesByMultiplesOfTheCell) {
  const TriangleMesh cube = BoxMesh({0.0, 0.0, 0.0}, {8.0, 8.0, 8.0}, 8);
  const PreparedPair pair(Mesh(cube), Mesh(cube));
  for (const Vector3d& way :
       {Vector3d(1.0, 0.0, 0.0), Vector3d(0.0, -1.0, 0.0), Vector3d(1.0, 1.0, 0.0),
        Vector3d(0.0, -1.0, 1.0), Vector3d(-1.0, 1.0, 1.0), Vector3d(1.0, -1.0, 0.5)}) {
    for (const int k : {1, 2, 3, 7, 8, 9}) {
      SCOPED_TRACE(::testing::Message() << k << " times " << way.transpose());
      const Vector3d t = k * way;
      const Metrics metrics = pair.QueryRelative(At(t));
      const Vector3d extent = (8.0 - t.array().abs()).max(0.0);
      if (extent.prod() == 0.0) {
        ExpectNoOverlap(metrics);
      } else {
        EXPECT_NEAR(metrics.volume, extent.prod(), 1e-13 * extent.prod());
        EXPECT_LE((metrics.centroid_W - (0.5 * t + Vector3d::Constant(4.0))).norm(), 1e-12);
      }
    }
  }
}

TEST(DegenerateMeshes, SubdivisionDoesNotMatter) {
  const TriangleMesh other = Translated(UnitCube(), {0.25, 0.5, 0.5});
  for (const Pose& X_AB : {Pose{}, kGeneric}) {
    const Metrics plain = QueryMeshes(UnitCube(), other, X_AB);
    for (int n = 2; n <= 30; ++n) {
      SCOPED_TRACE(n);
      const Metrics metrics = QueryMeshes(UnitCube(n), other, X_AB);
      ExpectMetrics(metrics, TruthFrom(plain, 1e-13), 1e-13);
      EXPECT_LE((metrics.area_vector_W - plain.area_vector_W).norm(), 1e-13);
      EXPECT_LE((metrics.area_moment_W - plain.area_moment_W).norm(), 1e-13);
    }
  }
}

TEST(DegenerateMeshes, OneInsideAnother) {
  const TriangleMesh outer = BoxMesh({-2.5, -2.5, -2.5}, {2.5, 2.5, 2.5}, 3);
  for (const auto& [name, mesh] : Zoo()) {
    SCOPED_TRACE(name);
    Truth truth = MassTruth(mesh);
    ExpectMetrics(QueryMeshes(outer, mesh), truth, 1e-13);
    const Metrics metrics = QueryMeshes(mesh, outer);
    ExpectMetrics(metrics, truth, 1e-13);
    EXPECT_EQ(metrics.area_vector_W, Vector3d::Zero()) << "no part of B's boundary is inside A";
  }
}

TEST(DegenerateMeshes, Cavities) {
  const TriangleMesh hollow = Joined(BoxMesh({-2.0, -2.0, -2.0}, {2.0, 2.0, 2.0}, 2),
                                     Reversed(BoxMesh({-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}, 3)));
  const TriangleMesh ball = SphereMesh(0.5, 2);
  ExpectNoOverlap(QueryMeshes(hollow, ball));
  // Filling the cavity exactly.
  ExpectNoOverlap(QueryMeshes(hollow, BoxMesh({-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0})));
  // Half in the wall, exactly by symmetry.
  const double volume = ComputeMassProperties(Mesh(ball)).volume;
  EXPECT_NEAR(QueryMeshes(hollow, ball, At({1.0, 0.0, 0.0})).volume, 0.5 * volume, 1e-14);
  ExpectMetrics(QueryMeshes(hollow, ball, At({1.5, 0.0, 0.0})),
                MassTruth(Translated(ball, {1.5, 0.0, 0.0})), 1e-13);
  // A kernel in the cavity belongs to the solid.
  const TriangleMesh with_kernel = Joined(hollow, BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  const TriangleMesh column = BoxMesh({-0.25, -0.25, -4.0}, {0.25, 0.25, 4.0});
  EXPECT_NEAR(QueryMeshes(with_kernel, column).volume, 0.25 * (2.0 + 1.0), 1e-14);
  EXPECT_NEAR(QueryMeshes(with_kernel, with_kernel).volume, 64.0 - 8.0 + 1.0, 1e-12);
}

TEST(DegenerateMeshes, SeveralShells) {
  TriangleMesh comb = UnitCube();
  for (int i = 1; i < 6; ++i) comb = Joined(comb, Translated(UnitCube(), {2.0 * i, 0.0, 0.0}));
  EXPECT_NEAR(QueryMeshes(comb, comb, At({4.0, 0.5, 0.0})).volume, 2.0, 1e-14);
  ExpectNoOverlap(QueryMeshes(comb, comb, At({1.0, 0.0, 0.0})));
  EXPECT_NEAR(QueryMeshes(comb, comb, At({0.5, 0.0, 0.0})).volume, 3.0, 1e-14);
}

TEST(DegenerateMeshes, ThinPlates) {
  constexpr double kThickness = 0x1p-20;
  const TriangleMesh plate = BoxMesh({-1.0, -1.0, 0.0}, {1.0, 1.0, kThickness}, 5);
  const TriangleMesh upright = BoxMesh({-1.0, 0.0, -1.0}, {1.0, kThickness, 1.0}, 4);
  const double rod = 2.0 * kThickness * kThickness;
  const Metrics crossed = QueryMeshes(plate, upright);
  EXPECT_NEAR(crossed.volume, rod, 1e-13 * rod);
  EXPECT_LE((crossed.centroid_W - 0.5 * kThickness * Vector3d(0.0, 1.0, 1.0)).norm(), 1e-15);
  // Both turned: only the rounding of the vertices is left, relative to the thickness.
  const auto turn = [](const Vector3d& p) { return kGeneric * p; };
  EXPECT_NEAR(QueryMeshes(Mapped(plate, turn), upright, kGeneric).volume, rod, 1e-9 * rod);
  // Sharing half of their thickness.
  const double half = 2.0 * kThickness;
  EXPECT_NEAR(QueryMeshes(plate, plate, At({0.0, 0.0, 0.5 * kThickness})).volume, half,
              1e-13 * half);
  ExpectNoOverlap(QueryMeshes(plate, plate, At({0.0, 0.0, kThickness})));
}

TEST(DegenerateMeshes, PolycubesCountTheirCells) {
  Random random(kSeed);
  for (int sample = 0; sample < 40; ++sample) {
    SCOPED_TRACE(::testing::Message() << "sample " << sample);
    const std::vector<Cell> a = RandomCells(&random, 3 + sample % 3, random.Uniform(0.2, 0.9));
    const std::vector<Cell> b = RandomCells(&random, 2 + sample % 4, random.Uniform(0.2, 0.9));
    const PreparedPair pair(Mesh(Polycube(a)), Mesh(Polycube(b)));
    for (int step = 0; step < 20; ++step) {
      const double unit = step < 8 ? 1.0 : step < 16 ? 0.5 : 0.125;
      const Vector3d t = (random.UniformVector(-4.0, 4.0) / unit).array().round() * unit;
      ExpectCells(a, b, t, pair.QueryRelative(At(t)));
    }
  }
}

// Quarter turns by quaternions that are normalised exactly.
TEST(DegenerateMeshes, TurnedPolycubesCountTheirCells) {
  Random random(kSeed + 1);
  constexpr double h = std::numbers::sqrt2 / 2.0;
  for (int sample = 0; sample < 20; ++sample) {
    SCOPED_TRACE(::testing::Message() << "sample " << sample);
    const std::vector<Cell> a = RandomCells(&random, 4, 0.6), b = RandomCells(&random, 3, 0.6);
    const PreparedPair pair(Mesh(Polycube(a)), Mesh(Polycube(b)));
    std::vector<Cell> turned;  // (x, y, z) -> (−y, x, z)
    for (const Cell& cell : b) turned.push_back({-cell[1] - 1, cell[0], cell[2]});
    for (int step = 0; step < 10; ++step) {
      const Vector3d t = (random.UniformVector(-3.0, 5.0) * 2.0).array().round() * 0.5;
      ExpectCells(a, turned, t, pair.QueryRelative(Pose{t, {h, 0.0, 0.0, h}}));
    }
  }
}

// The edge from vertex 0 to vertex 7 of a cube, shared by two faces, with its middle inserted on
// one side only: a face without area fills the gap.
TriangleMesh CubeWithFlatFace() {
  TriangleMesh mesh = UnitCube();
  const auto [a, b, c] = mesh.faces[0];
  const int middle = static_cast<int>(mesh.vertices.size());
  mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
  mesh.faces[0] = {a, middle, c};
  mesh.faces.push_back({middle, b, c});
  mesh.faces.push_back({a, b, middle});
  return mesh;
}

// Two equal vertices with two faces without area between them.
TriangleMesh CubeWithSlit() {
  TriangleMesh mesh = CubeWithFlatFace();
  const int middle = static_cast<int>(mesh.vertices.size()) - 1, twin = middle + 1;
  mesh.vertices.push_back(mesh.vertices[middle]);
  const auto c = mesh.faces[0][2];
  const auto a = mesh.faces[0][0];
  mesh.faces[0] = {a, twin, c};
  mesh.faces.push_back({a, middle, twin});
  mesh.faces.push_back({twin, middle, c});
  return mesh;
}

TEST(DegenerateMeshes, FacesWithoutArea) {
  const Truth truth = MassTruth(UnitCube());
  for (const TriangleMesh& mesh : {CubeWithFlatFace(), CubeWithSlit()}) {
    ExpectVolumeMetrics(ComputeMassProperties(Mesh(mesh)), truth, 1e-13);
    ExpectMetrics(QueryMeshes(mesh, mesh), truth, 1e-13);
    for (const Pose& X_AB : {At({0.5, 0.0, 0.0}), At({0.25, 0.5, -0.25}), At({0.5, 0.5, 0.5}),
                             At({0.0, 0.0, 0.9}), At({-0.5, 0.25, 0.125}), kGeneric}) {
      const Metrics plain = QueryMeshes(UnitCube(), UnitCube(), X_AB);
      for (const Metrics& metrics :
           {QueryMeshes(mesh, UnitCube(), X_AB), QueryMeshes(UnitCube(), mesh, X_AB),
            QueryMeshes(mesh, mesh, X_AB)}) {
        ExpectMetrics(metrics, TruthFrom(plain, 1e-13), 1e-12);
      }
    }
  }
}

TEST(DegenerateMeshes, Slivers) {
  const std::vector<double> cuts = {0.0, 1e-15, 1e-9, 0.5, 0.5 + 1e-12, 1.0 - 1e-6, 1.0};
  const TriangleMesh mesh = GridBox({cuts, cuts, cuts});
  for (const Pose& X_AB : {At({0.5, 0.0, 0.0}), At({0.5 + 1e-12, 1e-9, 0.0}),
                           At({0.25, 0.5, -0.25}), kGeneric, Inverse(kGeneric)}) {
    const Truth truth = TruthFrom(QueryMeshes(UnitCube(), UnitCube(), X_AB), 1e-13);
    ExpectMetrics(QueryMeshes(mesh, UnitCube(), X_AB), truth, 1e-12);
    ExpectMetrics(QueryMeshes(UnitCube(), mesh, X_AB), truth, 1e-12);
    ExpectMetrics(QueryMeshes(mesh, mesh, X_AB), truth, 1e-12);
  }
}

}  // namespace
}  // namespace volcontact::testing::degenerate_test
