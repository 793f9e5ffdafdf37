#include "solids/mesh_cut/mesh_cut.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solids/mesh_cut/planar_region.h"
#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/solid.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::Random;

double VolumeOf(const TriangleMesh& mesh) {
  return mesh.faces.empty() ? 0.0 : ComputeMassProperties(Mesh(mesh)).volume;
}

// Both halves are solids (Mesh takes them), and together the whole.
void ExpectHalves(const TriangleMesh& mesh, const Vector3d& point, const Vector3d& normal) {
  const TriangleMesh below = CutByPlane(mesh, point, normal);
  const TriangleMesh above = CutByPlane(mesh, point, -normal);
  const double whole = VolumeOf(mesh);
  EXPECT_NEAR(VolumeOf(below) + VolumeOf(above), whole, 1e-6 * whole);
  for (const TriangleMesh* half : {&below, &above}) {
    const double side = half == &below ? 1.0 : -1.0;
    for (const Vector3d& x : half->vertices) {
      ASSERT_LE(side * normal.dot(x - point), 1e-5 * normal.norm());
    }
    EXPECT_EQ(VolumeOf(*half) > 0.0, !half->faces.empty());
  }
  if (below.faces.empty() || above.faces.empty()) return;
  const Solid solids[] = {Mesh(mesh), Mesh(below), Mesh(above)};
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const Vector3d p = point + random.UniformVector(-1.0, 1.0);
    const auto holds = [&](int k) { return solids[k].Locate(p) == Membership::kInside; };
    ASSERT_EQ(holds(1) + holds(2), holds(0) ? 1 : 0);
    ASSERT_TRUE(!holds(normal.dot(p - point) > 0.0 ? 1 : 2));
  }
}

// A cube with a cubic cavity: a section is a ring in a ring.
TriangleMesh HollowCube() {
  return testing::Joined(
      testing::BoxMesh(Vector3d::Constant(-1.0), Vector3d::Constant(1.0), 2),
      testing::Reversed(testing::BoxMesh(Vector3d::Constant(-0.5), Vector3d::Constant(0.5), 3)));
}

TEST(CutByPlane, LeavesTwoSolidsOfAnyMesh) {
  Random random(5);
  const std::vector<TriangleMesh> meshes = {testing::SphereMesh(1.0, 2),
                                            testing::GearMesh(9, 1.0, 0.4),
                                            testing::LPrism(),
                                            testing::TorusMesh(1.0, 0.3, 20, 9),
                                            HollowCube(),
                                            testing::StarMesh(&random, 2, 0.3)};
  for (const TriangleMesh& mesh : meshes) {
    for (int i = 0; i < 20; ++i) {
      ExpectHalves(mesh, random.UniformVector(-0.3, 0.3), random.UniformVector(-1.0, 1.0));
    }
  }
}

TEST(CutByPlane, PassesThroughVerticesEdgesAndFaces) {
  for (const Vector3d& normal : {Vector3d(1, 0, 0), Vector3d(1, 1, 0), Vector3d(1, 1, 1)}) {
    ExpectHalves(testing::BoxMesh(Vector3d::Constant(-1.0), Vector3d::Constant(1.0), 2),
                 Vector3d::Zero(), normal);
    ExpectHalves(HollowCube(), Vector3d::Zero(), normal);
    ExpectHalves(testing::LPrism(), Vector3d(1.0, 1.0, 0.5), normal);
  }
  // Flush with a face: all of it, and nothing.
  const TriangleMesh box = testing::BoxMesh(Vector3d::Zero(), Vector3d::Constant(1.0), 2);
  EXPECT_NEAR(VolumeOf(CutByPlane(box, {1, 0, 0}, {1, 0, 0})), 1.0, 1e-15);
  EXPECT_TRUE(CutByPlane(box, {1, 0, 0}, {-1, 0, 0}).faces.empty());
}

TEST(CutByPlane, KeepsDeviations) {
  TriangleMesh mesh = testing::SphereMesh(1.0, 1);
  mesh.deviations.assign(mesh.faces.size(), 0.25);
  const TriangleMesh half = CutByPlane(mesh, Vector3d(0.01, 0.02, 0.03), Vector3d(1, 2, 3));
  ASSERT_EQ(half.deviations.size(), half.faces.size());
  EXPECT_EQ(half.deviations.front(), 0.25);
  EXPECT_EQ(half.deviations.back(), 0.0);  // of the cut itself
}

double AreaOf(const std::vector<Vector2d>& points, const std::vector<std::array<int, 3>>& faces) {
  double area = 0.0;
  for (const auto& [a, b, c] : faces) {
    const Vector2d u = points[static_cast<std::size_t>(b)] - points[static_cast<std::size_t>(a)];
    const Vector2d v = points[static_cast<std::size_t>(c)] - points[static_cast<std::size_t>(a)];
    const double twice = u.x() * v.y() - u.y() * v.x();
    EXPECT_GE(twice, 0.0);
    area += 0.5 * twice;
  }
  return area;
}

// A ring of points on a circle, inward where it is a hole.
void AddRing(const Vector2d& middle, double radius, int count, bool is_hole,
             std::vector<Vector2d>* points, std::vector<std::array<int, 2>>* edges) {
  const int first = static_cast<int>(points->size());
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / count;
    points->push_back(middle + radius * Vector2d(std::cos(angle), std::sin(angle)));
    const int next = first + (i + 1) % count;
    edges->push_back(is_hole ? std::array<int, 2>{next, first + i}
                             : std::array<int, 2>{first + i, next});
  }
}

double AreaOfRing(double radius, int count) {
  return 0.5 * count * radius * radius * std::sin(2.0 * std::numbers::pi / count);
}

TEST(TriangulateRings, FillsRegionsWithHolesAndIslands) {
  std::vector<Vector2d> points;
  std::vector<std::array<int, 2>> edges;
  AddRing({0, 0}, 4.0, 30, false, &points, &edges);
  double area = AreaOfRing(4.0, 30);
  for (int i = 0; i < 5; ++i) {  // two on one height
    const double angle = 2.0 * std::numbers::pi * i / 5.0;
    AddRing({2.4 * std::cos(angle), 2.4 * std::sin(angle)}, 1.0, 11, true, &points, &edges);
    AddRing({2.4 * std::cos(angle), 2.4 * std::sin(angle)}, 0.5, 8, false, &points, &edges);
    area += AreaOfRing(0.5, 8) - AreaOfRing(1.0, 11);
  }
  const auto faces = TriangulateRings(points, edges);
  EXPECT_NEAR(AreaOf(points, faces), area, 1e-12);
  // Every edge of the rings is one of a triangle's.
  for (const std::array<int, 2>& edge : edges) {
    int count = 0;
    for (const auto& face : faces) {
      for (std::size_t i = 0; i < 3; ++i) {
        count += face[i] == edge[0] && face[(i + 1) % 3] == edge[1];
      }
    }
    EXPECT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace volcontact
