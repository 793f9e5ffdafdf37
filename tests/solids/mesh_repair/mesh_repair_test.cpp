// RepairMesh: what it mends passes CheckMesh and has the right volume; what it cannot, it leaves.
#include "volcontact/solids/mesh_repair.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <utility>

#include "support/sample_meshes.h"
#include "volcontact/solids/mesh_check.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Expects a sound mesh of the given volume after `changes` changes.
void ExpectMended(const TriangleMesh& mesh, double volume, std::size_t changes) {
  const RepairResult repaired = RepairMesh(mesh);
  EXPECT_EQ(repaired.changes.size(), changes);
  for (const std::string& change : repaired.changes) {
    EXPECT_EQ(change.find('\n'), std::string::npos) << change;
  }
  const MeshReport report = CheckMesh(repaired.mesh);
  for (const MeshDefect& defect : report.defects) ADD_FAILURE() << defect.message;
  ASSERT_TRUE(report.mass.has_value());
  EXPECT_NEAR(report.mass->volume, volume, 1e-14);
  EXPECT_TRUE(RepairMesh(repaired.mesh).changes.empty());
  EXPECT_NO_THROW(Mesh(repaired.mesh));
}

TEST(RepairMesh, SoundMeshStaysAsItIs) {
  const RepairResult cube = RepairMesh(UnitCube());
  EXPECT_TRUE(cube.changes.empty());
  EXPECT_EQ(cube.mesh.faces, UnitCube().faces);
  ExpectMended(Join(UnitCube(), PlainBox({1, 1, 0}, {2, 2, 1})), 2.0, 1);
}

TEST(RepairMesh, JoinsSoup) { ExpectMended(Soup(UnitCube()), 1.0, 1); }

TEST(RepairMesh, FillsHoles) {
  TriangleMesh mesh = UnitCube();
  mesh.faces.pop_back();
  ExpectMended(mesh, 1.0, 1);
  mesh.faces.pop_back();
  ExpectMended(mesh, 1.0, 1);
  mesh.faces.resize(8);  // without bottom and top
  ExpectMended(mesh, 1.0, 1);
}

// An L-shaped prism without its lid: the hole is not convex, and has a vertex within an edge.
TEST(RepairMesh, FillsHolesThatAreNotConvex) {
  const std::vector<std::array<double, 2>> outline = {{0, 0}, {1, 0}, {2, 0}, {2, 1},
                                                      {1, 1}, {1, 2}, {0, 2}};
  const int n = static_cast<int>(outline.size());
  for (const double angle : {0.0, 0.7}) {
    const Eigen::Matrix3d R =
        Eigen::AngleAxisd(angle, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    TriangleMesh mesh;
    for (const double z : {0.0, 1.0}) {
      for (const auto& [x, y] : outline) mesh.vertices.push_back(R * Vector3d(x, y, z));
    }
    for (int i = 0; i < n; ++i) {
      const int j = (i + 1) % n;
      mesh.faces.push_back({i, j, n + j});
      mesh.faces.push_back({i, n + j, n + i});
    }
    ExpectMended(mesh, 3.0, 1);
  }
}

TEST(RepairMesh, LeavesHolesThatAreNotPlanarOrTooLarge) {
  TriangleMesh bent = BallMesh(12);
  const auto apart = [&](const auto& face) { return face[0] < 24 && face[1] < 24; };
  std::erase_if(bent.faces, [&](const auto& face) {
    return !apart(face) && bent.vertices[face[0]].x() > 0.3 && bent.vertices[face[1]].x() > 0.3;
  });
  const RepairResult left = RepairMesh(bent);
  EXPECT_EQ(CheckMesh(left.mesh).count(DefectKind::kOpenBoundary), 1u);
  TriangleMesh wide = BallMesh(40);  // without its northern cap, a ring of 80 edges
  std::erase_if(wide.faces, [&](const auto& face) { return face[0] == 39 * 80; });
  EXPECT_EQ(CheckMesh(RepairMesh(wide).mesh).count(DefectKind::kOpenBoundary), 1u);
}

// A pipe without its upper ring face: two holes in one plane, one within the other.
TEST(RepairMesh, DoesNotFillAcrossAnIsland) {
  TriangleMesh mesh = UnitCube();
  const TriangleMesh bore = TurnedOver(PlainBox({0.25, 0.25, 0.5}, {0.75, 0.75, 1}));
  mesh = Join(mesh, bore);
  const auto on_top = [&](const auto& face) {
    return mesh.vertices[face[0]].z() == 1 && mesh.vertices[face[1]].z() == 1 &&
           mesh.vertices[face[2]].z() == 1;
  };
  std::erase_if(mesh.faces, on_top);
  const RepairResult result = RepairMesh(mesh);
  EXPECT_TRUE(result.changes.empty());
  EXPECT_EQ(result.mesh.faces, mesh.faces);
}

TEST(RepairMesh, TurnsFacesAndShells) {
  TriangleMesh mesh = UnitCube();
  for (const int f : {2, 7, 8}) std::swap(mesh.faces[f][0], mesh.faces[f][1]);
  ExpectMended(mesh, 1.0, 1);
  ExpectMended(TurnedOver(UnitCube()), 1.0, 1);
  ExpectMended(TurnedOver(mesh), 1.0, 2);
  const TriangleMesh inner = PlainBox(Vector3d::Constant(0.25), Vector3d::Constant(0.75));
  ExpectMended(Join(UnitCube(), inner), 0.875, 1);
  ExpectMended(Join(TurnedOver(UnitCube()), inner), 0.875, 2);
}

TEST(RepairMesh, DropsCopies) {
  for (const bool turned : {false, true}) {
    TriangleMesh mesh = UnitCube();
    auto copy = mesh.faces[3];
    if (turned) std::swap(copy[0], copy[1]);
    mesh.faces.insert(mesh.faces.begin(), copy);
    ExpectMended(mesh, 1.0, 1);
  }
  ExpectMended(Join(UnitCube(), UnitCube()), 1.0, 2);
  ExpectMended(Join(UnitCube(), TurnedOver(UnitCube())), 1.0, 2);
}

TEST(RepairMesh, TakesWallsBetweenTouchingSolidsAway) {
  // The diagonals of x = 1 of one and x = 1 of the other agree in a mirrored box.
  TriangleMesh mirrored = TurnedOver(UnitCube());
  for (Vector3d& v : mirrored.vertices) v.x() = 2.0 - v.x();
  const TriangleMesh mesh = Join(UnitCube(), mirrored);
  EXPECT_FALSE(CheckMesh(mesh).ok());
  ExpectMended(mesh, 2.0, 2);
}

TEST(RepairMesh, DropsFacesWithoutArea) {
  TriangleMesh mesh = UnitCube();
  mesh.faces.push_back({0, 0, 1});
  ExpectMended(mesh, 1.0, 1);
  mesh = UnitCube();
  mesh.vertices.push_back({0, 0, 0.5});
  mesh.faces[0] = {0, 8, 3};
  mesh.faces.push_back({8, 1, 3});
  mesh.faces.push_back({0, 1, 8});
  ExpectMended(mesh, 1.0, 1);
}

TEST(RepairMesh, ClosesTJunctions) {
  TriangleMesh mesh = UnitCube();
  mesh.vertices.push_back({0, 0, 0.5});
  mesh.vertices.push_back({0, 0, 0.625});
  mesh.faces[0] = {0, 8, 3};
  mesh.faces.push_back({8, 9, 3});
  mesh.faces.push_back({9, 1, 3});
  ExpectMended(mesh, 1.0, 2);
  // Vertices on both sides of the crack: 0-1 is an edge of faces {0, 1, 3} and {0, 5, 1}.
  mesh.vertices.push_back({0, 0, 0.25});
  std::erase(mesh.faces, std::array<int, 3>{0, 5, 1});
  mesh.faces.push_back({0, 5, 10});
  mesh.faces.push_back({10, 5, 1});
  ExpectMended(mesh, 1.0, 2);
}

TEST(RepairMesh, DropsWhatCannotBe) {
  TriangleMesh mesh = UnitCube();
  mesh.vertices.push_back({7, 7, 7});
  mesh.vertices.push_back({std::nan(""), 0, 0});
  mesh.faces.push_back({0, 1, std::numeric_limits<int>::max()});
  mesh.faces.push_back({0, 1, -1});
  mesh.faces.push_back({0, 1, 9});
  ExpectMended(mesh, 1.0, 2);
}

TEST(RepairMesh, LeavesCrossings) {
  const TriangleMesh mesh =
      Join(UnitCube(), PlainBox(Vector3d::Constant(0.3), Vector3d::Constant(1.3)));
  const RepairResult result = RepairMesh(mesh);
  EXPECT_TRUE(result.changes.empty());
  EXPECT_GT(CheckMesh(result.mesh).count(DefectKind::kSelfIntersection), 0u);
}

TEST(RepairMesh, DoesNotCloseSheets) {
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.faces = {{0, 1, 2}};
  EXPECT_EQ(RepairMesh(sheet).mesh.faces, sheet.faces);
  sheet.faces.push_back({0, 2, 3});
  EXPECT_TRUE(RepairMesh(sheet).changes.empty());
}

TEST(RepairMesh, LeavesOneSidedSurfaces) {
  const RepairResult result = RepairMesh(Band(9, true));
  EXPECT_FALSE(CheckMesh(result.mesh).ok());
}

TEST(HostileMesh, IsReportedAndSurvived) {
  TriangleMesh mesh;
  EXPECT_EQ(CheckMesh(mesh).count(DefectKind::kNoFaces), 1u);
  EXPECT_TRUE(RepairMesh(mesh).mesh.faces.empty());

  mesh.faces.assign(1000, {0, 1, 2});  // there are no vertices at all
  EXPECT_EQ(CheckMesh(mesh).count(DefectKind::kIndexOutOfRange), 1000u);
  EXPECT_EQ(CheckMesh(mesh).defects.size(), MeshReport::kMaxListed);
  EXPECT_TRUE(RepairMesh(mesh).mesh.faces.empty());

  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};  // all faces equal
  EXPECT_EQ(CheckMesh(mesh).count(DefectKind::kDuplicateFace), 999u);
  EXPECT_FALSE(CheckMesh(RepairMesh(mesh).mesh).ok());

  mesh.faces.assign(1000, {1, 1, 1});  // one vertex
  EXPECT_FALSE(CheckMesh(mesh).ok());
  EXPECT_TRUE(RepairMesh(mesh).mesh.vertices.empty());

  mesh.vertices.assign(3, Vector3d::Zero());  // one point
  mesh.faces.assign(1000, {0, 1, 2});
  EXPECT_FALSE(CheckMesh(mesh).ok());
  EXPECT_TRUE(RepairMesh(mesh).mesh.faces.empty());
}

TEST(HostileMesh, ExtremeCoordinates) {
  for (const double size : {1e30, 1e-30, 1e-160, 5e-324}) {
    TriangleMesh mesh = UnitCube();
    for (Vector3d& v : mesh.vertices) v *= size;
    const MeshReport report = CheckMesh(mesh);
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.count(DefectKind::kSelfIntersection), 0u) << size;
    EXPECT_EQ(report.count(DefectKind::kDegenerateFace), 0u) << size;
  }
}

// Few vertices and many faces at random: everything at once.
TEST(HostileMesh, RandomFaces) {
  std::mt19937 random(3);
  for (int k = 0; k < 500; ++k) {
    TriangleMesh mesh;
    std::uniform_int_distribution<int> coordinate(0, 3), index(-1, 16), count(1, 60);
    for (int v = 0; v < 16; ++v) {
      mesh.vertices.push_back(
          {1.0 * coordinate(random), 1.0 * coordinate(random), 1.0 * coordinate(random)});
    }
    for (int f = count(random); f > 0; --f) {
      mesh.faces.push_back({index(random), index(random), index(random)});
    }
    const RepairResult repaired = RepairMesh(mesh);
    const MeshReport report = CheckMesh(repaired.mesh);
    EXPECT_EQ(report.count(DefectKind::kIndexOutOfRange), 0u);
    EXPECT_EQ(report.count(DefectKind::kFlippedFace), 0u) << "case " << k;
  }
}

// A tetrahedron's faces at random turned, doubled and without area, and corners that nothing names:
// what is sound after its repair is a solid.
TEST(HostileMesh, RandomFacesOfATetrahedron) {
  std::mt19937 random(4);
  int sound = 0;
  for (int k = 0; k < 500; ++k) {
    TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 2, 2}}, {}};
    for (std::array<int, 3> face : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}) {
      if (random() % 3 == 0) std::swap(face[0], face[1]);
      mesh.faces.push_back(face);
      if (random() % 4 == 0) mesh.faces.push_back(face);
      if (random() % 4 == 0) mesh.faces.push_back({face[0], face[0], face[1]});
    }
    std::shuffle(mesh.faces.begin(), mesh.faces.end(), random);
    const RepairResult repaired = RepairMesh(mesh);
    const MeshReport report = CheckMesh(repaired.mesh);
    if (!report.ok()) continue;
    ++sound;
    ASSERT_NO_THROW(Mesh(repaired.mesh)) << "case " << k;
    EXPECT_NEAR(report.mass->volume, 1.0 / 6.0, 1e-15) << "case " << k;
  }
  EXPECT_GE(sound, 400);
}

}  // namespace
}  // namespace volcontact
