// Meshes cut by planes: against large boxes, closed forms, and the plane through what they have.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numbers>
#include <vector>

#include "overlap/meshes/sums/triangle_sums.h"
#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "support/paths.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::half_space_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 271828182;

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

TriangleMesh Octahedron() {
  TriangleMesh mesh;
  for (int i = 0; i < 3; ++i) {
    mesh.vertices.push_back(Vector3d::Unit(i));
    mesh.vertices.push_back(-Vector3d::Unit(i));
  }
  for (int octant = 0; octant < 8; ++octant) {
    const int x = octant & 1, y = 2 + (octant >> 1 & 1), z = 4 + (octant >> 2 & 1);
    const bool is_turned = (x + y + z) % 2 != 0;
    mesh.faces.push_back(is_turned ? std::array{x, z, y} : std::array{x, y, z});
  }
  return mesh;
}

// Lowered so deep that `depth` of it is below z = 0.
Pose Lowered(const TriangleMesh& mesh, Pose X, double depth) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vector3d& p : mesh.vertices) lowest = std::min(lowest, (X * p).z());
  X.t.z() -= lowest + depth;
  return X;
}

void ExpectSameAsBox(const Metrics& half, const Metrics& box) {
  ExpectMetrics(half, TruthFrom(box, box.volume_error / box.volume + 1e-13), 1e-10);
  const double scale = box.contact_area;
  EXPECT_LE((half.area_vector_W - box.area_vector_W).norm(), 1e-11 * scale);
  EXPECT_LE((half.area_moment_W - box.area_moment_W).norm(), 1e-11 * scale * std::sqrt(scale));
  EXPECT_NEAR(half.contact_area, box.contact_area, 1e-9 * scale);
}

// The sums of a box are another method. Depths at which sums of cones, fluxes of heights and
// double-doubles answer; turned at random, and lying on what is flat.
TEST(MeshOnHalfSpace, IsAsOnALargeBoxForTheShippedMeshes) {
  Random random(kSeed);
  const Pose below = At({0.0, 0.0, -0.5});
  const auto meshes = std::filesystem::path(volcontact::DataFolder()) / "meshes";
  for (const char* file : {"bowl.obj", "bracket.stl", "dented_sphere.obj", "gear.obj",
                           "handrail.obj", "peg.stl", "plate.obj"}) {
    const TriangleMesh mesh = ReadMesh(meshes / file).mesh;
    const Solid solid = Mesh(mesh);
    const PreparedPair half(HalfSpace(), solid), box(Box({1.0, 1.0, 1.0}), solid);
    const double size = 2.0 * solid.Bounds().HalfExtents().maxCoeff();
    for (const double depth : {0.05, 1e-3, 1e-5, 1e-7}) {
      for (const bool is_flat : {false, true}) {
        SCOPED_TRACE(::testing::Message() << file << ", " << depth << (is_flat ? ", flat" : ""));
        const Pose turned = is_flat ? At({0.01, 0.02, 0.0}) : random.PoseAt({0.01, 0.02, 0.0});
        const Pose X = Lowered(mesh, turned, depth * size);
        const Metrics found = half.QueryRelative(X);
        ExpectSameAsBox(found, box.Query(below, X));
        EXPECT_TRUE(found.converged);
        half.QueryRelative(At({0.0, 0.0, -0.001}));
        EXPECT_TRUE(BitwiseEqual(found, half.QueryRelative(X)));
      }
    }
  }
}

// Vertices and edges exactly in the plane.
TEST(MeshOnHalfSpace, CutsThroughVerticesAndEdges) {
  const PreparedPair octahedron(HalfSpace(), Mesh(Octahedron()));
  const Metrics half = octahedron.QueryRelative(At({0.0, 0.0, 0.0}));
  EXPECT_NEAR(half.volume, 2.0 / 3.0, 1e-15);
  EXPECT_NEAR(half.centroid_W.z(), -0.25, 1e-15);
  EXPECT_LE((half.area_vector_W - Vector3d(0.0, 0.0, -2.0)).norm(), 1e-15);
  EXPECT_NEAR(half.contact_area, 2.0, 1e-15);
  ExpectNoOverlap(octahedron.QueryRelative(At({0.0, 0.0, 1.0})));
  for (int k = 1; k <= 40; k += 3) {
    const double depth = std::ldexp(1.0, -k);
    const Metrics tip = octahedron.QueryRelative(At({0.0, 0.0, 1.0 - depth}));
    EXPECT_NEAR(tip.volume, 2.0 / 3.0 * std::pow(depth, 3), 1e-14 * std::pow(depth, 3)) << k;
    EXPECT_NEAR(tip.contact_area, 2.0 * depth * depth, 1e-13 * depth * depth) << k;
  }
  // Turned about the x axis, of which two vertices lie in the plane.
  const Pose turned = {Vector3d::Zero(), {std::cos(M_PI / 8.0), std::sin(M_PI / 8.0), 0.0, 0.0}};
  EXPECT_NEAR(octahedron.QueryRelative(turned).volume, 2.0 / 3.0, 1e-15);
}

TEST(MeshOnHalfSpace, CutsThroughLayersOfVertices) {
  const PreparedPair cube(HalfSpace(), Mesh(BoxMesh(Vector3d::Zero(), Vector3d::Ones(), 4)));
  for (int layer = 1; layer <= 4; ++layer) {
    const double depth = 0.25 * layer;
    const Metrics found = cube.QueryRelative(At({0.0, 0.0, -depth}));
    EXPECT_NEAR(found.volume, depth, 1e-15);
    EXPECT_NEAR(found.inertia_W(2, 2), depth / 6.0, 1e-15);
    // Half of the faces in the plane counts.
    EXPECT_NEAR(found.area_vector_W.z(), layer == 4 ? -0.5 : -1.0, 1e-15);
    EXPECT_NEAR(found.contact_area, 1.0, 1e-15);
  }
}

// A closed surface below the plane, with its own moments either way; a pyramid cut off a cube's
// corner, once as it is and once pressed flat.
// Bodies with faces that look along the normal below the plane: hollows, holes, and more than half
// of a ball. A box in place of the half-space is crossed as a mesh.
TEST(MeshOnHalfSpace, CountsLinesThroughUndercutsOnce) {
  Random random(kSeed);
  const std::vector<TriangleMesh> meshes = {
      SphereMesh(1.0, 3),
      StarMesh(&random, 4, 0.3),
      TorusMesh(1.0, 0.3, 40, 24),
      LPrism(),
      GearMesh(12, 1.0, 0.4),
      Translated(TorusMesh(0.8, 0.5, 24, 16), {0.0, 30.0, 4.0}),
      Polycube({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {2, 0, 0}, {2, 0, 1}, {2, 1, 1}})};
  int undercuts = 0;
  for (int i = 0; i < 70; ++i) {
    SCOPED_TRACE(i);
    const TriangleMesh& mesh = meshes[i % meshes.size()];
    const Pose X_HM =
        Lowered(mesh, random.PoseAt(Vector3d::Zero()), std::pow(2.0, random.Uniform(-6.0, 0.5)));
    const Metrics half = PreparedPair(HalfSpace(), Mesh(mesh)).QueryRelative(X_HM);
    const Solid box = Box({400.0, 400.0, 400.0}).Posed(At({0.0, 0.0, -200.0}));
    const Metrics truth = PreparedPair(box, Mesh(mesh)).QueryRelative(X_HM);
    ASSERT_TRUE(half.overlap && half.warnings.empty() && truth.warnings.empty());
    EXPECT_NEAR(half.contact_area, truth.contact_area, 1e-9 * truth.contact_area);
    const Metrics exchanged = PreparedPair(Mesh(mesh), HalfSpace()).QueryRelative(Inverse(X_HM));
    EXPECT_NEAR(exchanged.contact_area, half.contact_area, 1e-9 * half.contact_area);
    undercuts += half.contact_area > 1.001 * half.area_vector_W.norm();
  }
  EXPECT_GT(undercuts, 20);
}

// Two feet, of which one is in the half-space and the other ends in its plane or a rounding below:
// that one is no part of the overlap. Quarter turns leave roundings in the plane's normal.
TEST(MeshOnHalfSpace, LeavesOutFacesThatOnlyTouch) {
  const TriangleMesh deep = BoxMesh({0.0, 0.0, -0.125}, {1.0, 1.0, 2.0});
  for (const double below : {0.0, 0x1p-52, -0x1p-52}) {
    const TriangleMesh table = Joined(deep, BoxMesh({3.0, 0.0, -below}, {4.5, 1.0, 2.0}));
    for (int turns = 0; turns < 4; ++turns) {
      SCOPED_TRACE(turns);
      const double angle = 0.5 * std::numbers::pi * turns;
      const Pose X_HM = {{0.0, 0.0, 0.0}, {std::cos(angle / 2), std::sin(angle / 2), 0.0, 0.0}};
      const TriangleMesh turned =
          Mapped(table, [&](const Vector3d& p) -> Vector3d { return Inverse(X_HM) * p; });
      const Metrics found = PreparedPair(HalfSpace(), Mesh(turned)).QueryRelative(X_HM);
      EXPECT_TRUE(found.converged);
      EXPECT_TRUE(found.warnings.empty());
      EXPECT_NEAR(found.volume, 0.125, 1e-12);
      EXPECT_LE((found.area_vector_W - Vector3d(0.0, 0.0, -1.0)).norm(), 1e-9);
      EXPECT_NEAR(found.contact_area, 1.0, 1e-9);
    }
  }
}

TEST(TriangleSums, OfConesAndOfHeightsGiveTheSameMoments) {
  Random random(kSeed);
  for (const double thickness : {1.0, 1e-3, 1e-9}) {
    Matrix3d map = Vector3d(1.0, 1.0, thickness).asDiagonal();
    std::array<Vector3d, 4> corners;
    for (Vector3d& p : corners) p = map * (random.UniformVector(-1.0, 0.0));
    Vector3d u = corners[1] - corners[0], v = corners[2] - corners[0], w = corners[3] - corners[0];
    if (u.cross(v).dot(w) < 0.0) {
      std::swap(corners[2], corners[3]);
      std::swap(v, w);
    }
    AreaVectors areas, others;
    ConeSums cones(&areas);
    HeightSums heights(&others);
    SurfaceSums plain;
    for (const auto& [i, j, k] : std::vector<Cell>{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}) {
      cones.AddTriangle(corners[i], corners[j], corners[k]);
      heights.AddTriangle(corners[i], corners[j], corners[k]);
      plain.AddTriangle(corners[i], corners[j], corners[k]);
    }
    cones.Finish();
    heights.Finish();
    // For a tetrahedron: the mean of its corners, and of their products with those of the mean.
    const double volume = u.cross(v).dot(w) / 6.0;
    const Vector3d mean = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
    Matrix3d second = 16.0 * mean * mean.transpose();
    for (const Vector3d& p : corners) second += p * p.transpose();
    second *= volume / 20.0;
    const VolumeMoments moments = heights.Moments();
    EXPECT_NEAR(moments.volume, volume, heights.error());
    EXPECT_LE(heights.error(), 1e-10 * volume);
    EXPECT_NEAR(cones.Surface().flux_0 / 3.0, volume, cones.error() / 3.0);
    EXPECT_NEAR(plain.flux_0, cones.Surface().flux_0, cones.error());
    for (int i = 0; i < 3; ++i) {
      const double size_i = i == 2 ? thickness : 1.0;
      EXPECT_NEAR(moments.first[i], volume * mean[i], 1e-13 * volume * size_i);
      for (int j = 0; j < 3; ++j) {
        const double size_j = j == 2 ? thickness : 1.0;
        EXPECT_NEAR(moments.second(i, j), second(i, j), 1e-13 * volume * size_i * size_j);
      }
    }
    for (const Vector3d& n : {Vector3d::UnitZ().eval(), Vector3d(0.6, 0.0, 0.8)}) {
      double projection = 0.0;
      for (const auto& [i, j, k] : std::vector<Cell>{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}) {
        const Vector3d N = (corners[j] - corners[i]).cross(corners[k] - corners[i]);
        projection += 0.5 * std::abs(N.dot(n));
      }
      EXPECT_NEAR(areas.Projection(n), projection, 1e-14 * projection);
      EXPECT_NEAR(others.Projection(n), projection, 1e-14 * projection);
    }
    EXPECT_LE(heights.SectionArea().norm(), 1e-15);
  }
}

}  // namespace
}  // namespace volcontact::testing::half_space_test
