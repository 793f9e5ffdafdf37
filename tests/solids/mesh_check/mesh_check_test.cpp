// CheckMesh: every kind of defect is found, and nothing that is none.
#include "volcontact/solids/mesh_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "support/sample_meshes.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using Kinds = std::map<DefectKind, std::size_t>;

Kinds KindsOf(const MeshReport& report) {
  Kinds kinds;
  for (std::size_t k = 0; k < kDefectKinds; ++k) {
    if (report.counts[k] > 0) kinds[static_cast<DefectKind>(k)] = report.counts[k];
  }
  return kinds;
}

Kinds KindsOf(const TriangleMesh& mesh) { return KindsOf(CheckMesh(mesh)); }

const MeshDefect& Only(const MeshReport& report, DefectKind kind) {
  static const MeshDefect kNone{kind, {}, {}, ""};
  EXPECT_EQ(report.count(kind), 1u);
  for (const MeshDefect& defect : report.defects) {
    if (defect.kind == kind) return defect;
  }
  return kNone;
}

TriangleMesh Cavity(bool right) {
  const TriangleMesh inner = PlainBox(Vector3d::Constant(0.25), Vector3d::Constant(0.75));
  return Join(UnitCube(), right ? TurnedOver(inner) : inner);
}

TEST(CheckMesh, CubeIsSound) {
  const MeshReport report = CheckMesh(UnitCube());
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.oriented);
  EXPECT_TRUE(report.notes.empty());
  EXPECT_EQ(report.vertices, 8u);
  EXPECT_EQ(report.faces, 12u);
  ASSERT_EQ(report.shells.size(), 1u);
  EXPECT_EQ(report.shells[0].faces, 12);
  EXPECT_DOUBLE_EQ(report.shells[0].volume, 1.0);
  ASSERT_TRUE(report.mass.has_value());
  EXPECT_DOUBLE_EQ(report.mass->volume, 1.0);
  EXPECT_LT((report.mass->centroid - Vector3d::Constant(0.5)).norm(), 1e-15);
  EXPECT_LT((report.mass->inertia - Eigen::Matrix3d::Identity() / 6.0).norm(), 1e-15);
  EXPECT_EQ(report.bounds.min, Vector3d::Zero().eval());
  EXPECT_EQ(report.bounds.max, Vector3d::Ones().eval());
}

TEST(CheckMesh, MissingFaceLeavesAHole) {
  TriangleMesh mesh = UnitCube();
  mesh.faces.pop_back();
  const MeshReport report = CheckMesh(mesh);
  EXPECT_FALSE(report.closed);
  EXPECT_TRUE(report.oriented);
  EXPECT_FALSE(report.mass.has_value());
  EXPECT_EQ(KindsOf(report), (Kinds{{DefectKind::kOpenBoundary, 1}}));
  const MeshDefect& hole = Only(report, DefectKind::kOpenBoundary);
  EXPECT_EQ(hole.vertices.size(), 3u);
  EXPECT_EQ(hole.faces.size(), 3u);
  EXPECT_EQ(hole.message.find('\n'), std::string::npos);
}

TEST(CheckMesh, HolesThatShareACornerAreToldApart) {
  TriangleMesh mesh = BallMesh(8);
  const int around = 16, a = 2 * around;
  std::erase_if(mesh.faces, [&](const auto& face) {
    const std::array<int, 3> first = {a, a + around, a + around + 1};
    const std::array<int, 3> second = {a + around + 1, a + 2 * around + 2, a + around + 2};
    return face == first || face == second;
  });
  const MeshReport report = CheckMesh(mesh);
  EXPECT_EQ(report.count(DefectKind::kOpenBoundary), 2u);
}

TEST(CheckMesh, FlippedFaceIsNamed) {
  TriangleMesh mesh = UnitCube();
  std::swap(mesh.faces[5][0], mesh.faces[5][1]);
  const MeshReport report = CheckMesh(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_FALSE(report.oriented);
  EXPECT_EQ(KindsOf(report), (Kinds{{DefectKind::kFlippedFace, 1}}));
  EXPECT_EQ(Only(report, DefectKind::kFlippedFace).faces, std::vector<int>{5});
}

TEST(CheckMesh, MostFacesFlippedNamesTheRest) {
  TriangleMesh mesh = TurnedOver(UnitCube());
  std::swap(mesh.faces[5][0], mesh.faces[5][1]);
  EXPECT_EQ(Only(CheckMesh(mesh), DefectKind::kFlippedFace).faces, std::vector<int>{5});
}

TEST(CheckMesh, DuplicateFace) {
  for (const bool turned : {false, true}) {
    TriangleMesh mesh = UnitCube();
    auto copy = mesh.faces[3];
    if (turned) std::swap(copy[0], copy[1]);
    mesh.faces.push_back(copy);
    const MeshReport report = CheckMesh(mesh);
    EXPECT_EQ(Only(report, DefectKind::kDuplicateFace).faces, (std::vector<int>{3, 12}));
    EXPECT_EQ(report.count(DefectKind::kNonManifoldEdge), 3u);
    EXPECT_EQ(report.count(DefectKind::kSelfIntersection), 0u);
    EXPECT_FALSE(report.closed);
  }
}

TEST(CheckMesh, DegenerateFaces) {
  TriangleMesh mesh = UnitCube();
  mesh.faces.push_back({0, 0, 1});
  EXPECT_EQ(KindsOf(mesh), (Kinds{{DefectKind::kDegenerateFace, 1}}));

  // A sliver without area in the middle of an edge: the surface is closed all the same.
  mesh = UnitCube();
  mesh.vertices.push_back({0, 0, 0.5});
  mesh.faces[0] = {0, 8, 3};
  mesh.faces.push_back({8, 1, 3});
  mesh.faces.push_back({0, 1, 8});
  const MeshReport report = CheckMesh(mesh);
  EXPECT_EQ(KindsOf(report), (Kinds{{DefectKind::kDegenerateFace, 1}}));
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.oriented);
  ASSERT_TRUE(report.mass.has_value());
  EXPECT_DOUBLE_EQ(report.mass->volume, 1.0);
}

TEST(CheckMesh, AThinFaceHasArea) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 1, 1}, {0.5, 0.5, std::nextafter(0.5, 1.0)}, {0, 1, 0}};
  mesh.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  EXPECT_EQ(CheckMesh(mesh).count(DefectKind::kDegenerateFace), 0u);
}

TEST(CheckMesh, CrossingCubes) {
  const Vector3d offset(0.4, 0.3, 0.2);
  const MeshReport report =
      CheckMesh(Join(UnitCube(), PlainBox(offset, Vector3d::Ones() + offset)));
  EXPECT_GT(report.count(DefectKind::kSelfIntersection), 0u);
  EXPECT_EQ(KindsOf(report).size(), 1u);
  EXPECT_EQ(report.shells.size(), 2u);
  EXPECT_EQ(report.shells[1].depth, 0);
  for (const MeshDefect& defect : report.defects) {
    ASSERT_EQ(defect.faces.size(), 2u);
    EXPECT_LT(defect.faces[0], 12);
    EXPECT_GE(defect.faces[1], 12);
  }
}

// The wall of one runs through the other along edges that lie in its faces' planes.
TEST(CheckMesh, CrossingAlongEdgesInFaces) {
  TriangleMesh pillar = PlainBox({0.25, 0.25, -1}, {0.5, 0.5, 0});
  const TriangleMesh upper = PlainBox({0.25, 0.25, 0}, {0.5, 0.5, 3});
  // Joined at z = 0, where the cube has its bottom.
  std::erase_if(pillar.faces, [](const auto& f) { return f[0] % 2 && f[1] % 2 && f[2] % 2; });
  for (const auto& face : upper.faces) {
    if (face[0] % 2 == 0 && face[1] % 2 == 0 && face[2] % 2 == 0) continue;
    std::array<int, 3> moved{};
    for (int i = 0; i < 3; ++i) moved[i] = face[i] % 2 == 0 ? face[i] + 1 : face[i] + 8;
    pillar.faces.push_back(moved);
  }
  pillar.vertices.insert(pillar.vertices.end(), upper.vertices.begin(), upper.vertices.end());
  ASSERT_TRUE(CheckMesh(pillar).ok());
  TriangleMesh lid;  // one large face at z = 0, closed by another apex above all
  lid.vertices = {{-5, -5, 0}, {9, -5, 0}, {-5, 9, 0}, {0.1, 0.1, 50}};
  lid.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const MeshReport report = CheckMesh(Join(pillar, lid));
  EXPECT_EQ(KindsOf(report).size(), 1u);
  EXPECT_GE(report.count(DefectKind::kSelfIntersection), 4u);
}

TEST(CheckMesh, TouchingIsNoCrossing) {
  // A wedge stands with its edge, a pyramid with its tip, on the cube's top.
  TriangleMesh tip;
  tip.vertices = {{0.3, 0.3, 1}, {0, 0, 2}, {1, 0, 2}, {0, 1, 2}};
  tip.faces = {{0, 1, 3}, {0, 2, 1}, {0, 3, 2}, {1, 2, 3}};
  EXPECT_TRUE(CheckMesh(Join(UnitCube(), tip)).ok());
  TriangleMesh wedge;
  wedge.vertices = {{0.3, 0.3, 1}, {0.6, 0.5, 1}, {0.2, 0.8, 2}, {0.8, 0.1, 2}};
  wedge.faces = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  EXPECT_EQ(CheckMesh(Join(UnitCube(), wedge)).count(DefectKind::kSelfIntersection), 0u);
}

TEST(CheckMesh, CoplanarFacesOverlap) {
  const TriangleMesh beside = PlainBox({0.5, 0.25, 1}, {2.5, 0.75, 2});
  const MeshReport report = CheckMesh(Join(UnitCube(), beside));
  EXPECT_GT(report.count(DefectKind::kSelfIntersection), 0u);
  EXPECT_EQ(KindsOf(report).size(), 1u);
  // Faces of one plane that only share an edge or a corner do not.
  EXPECT_TRUE(CheckMesh(Join(UnitCube(), PlainBox({1, 1, 0}, {2, 2, 1}))).ok());
}

TEST(CheckMesh, NeighboursFoldedOntoEachOther) {
  // Both faces at edge 0-1 lie in z = 0 on the same side of it.
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0.2, 1, 0}, {0.6, 0.5, 0}, {0.5, 0.2, 1}};
  mesh.faces = {{0, 1, 2}, {1, 0, 3}, {0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}};
  const MeshReport report = CheckMesh(mesh);
  EXPECT_TRUE(report.closed);
  const MeshDefect& fold = Only(report, DefectKind::kSelfIntersection);
  EXPECT_EQ(fold.faces, (std::vector<int>{0, 1}));
}

TEST(CheckMesh, FacesThatShareACornerCross) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 1, 1}, {0.5, 0.5, -1}};
  mesh.faces = {{0, 1, 2}, {0, 3, 4}};
  EXPECT_EQ(CheckMesh(mesh).count(DefectKind::kSelfIntersection), 1u);
  mesh.vertices[4] = {1, 1, 2};
  EXPECT_EQ(CheckMesh(mesh).count(DefectKind::kSelfIntersection), 0u);
}

TEST(CheckMesh, Cavities) {
  const MeshReport right = CheckMesh(Cavity(true));
  EXPECT_TRUE(right.ok());
  ASSERT_EQ(right.shells.size(), 2u);
  EXPECT_EQ(right.shells[1].depth, 1);
  EXPECT_EQ(right.shells[1].parent, 0);
  EXPECT_DOUBLE_EQ(right.shells[1].volume, -0.125);
  EXPECT_DOUBLE_EQ(right.mass->volume, 0.875);
  const MeshReport wrong = CheckMesh(Cavity(false));
  EXPECT_EQ(KindsOf(wrong), (Kinds{{DefectKind::kInsideOut, 1}}));
  EXPECT_EQ(Only(wrong, DefectKind::kInsideOut).faces, std::vector<int>{12});
  EXPECT_EQ(KindsOf(TurnedOver(UnitCube())), (Kinds{{DefectKind::kInsideOut, 1}}));
}

TEST(CheckMesh, ShellsNestDeeply) {
  TriangleMesh mesh;
  for (int k = 0; k < 5; ++k) {
    const Vector3d half = Vector3d::Constant(1.0 - 0.15 * k);
    const TriangleMesh box = PlainBox(-half, half);
    mesh = Join(mesh, k % 2 == 0 ? box : TurnedOver(box));
  }
  const MeshReport report = CheckMesh(mesh);
  EXPECT_TRUE(report.ok());
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(report.shells[k].depth, k);
    EXPECT_EQ(report.shells[k].parent, k - 1);
  }
}

// The cavity's corners lie on the outer surface.
TEST(CheckMesh, CavityThatTouchesItsShell) {
  TriangleMesh inner;
  inner.vertices = {{0, 0.5, 0.5}, {1, 0.4, 0.5}, {0.5, 0, 0.4}, {0.5, 0.4, 1}};
  inner.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const bool outward = CheckMesh(inner).shells[0].volume > 0.0;
  const MeshReport report = CheckMesh(Join(UnitCube(), outward ? TurnedOver(inner) : inner));
  EXPECT_EQ(report.shells[1].depth, 1);
  EXPECT_EQ(report.count(DefectKind::kInsideOut), 0u);
}

TEST(CheckMesh, DoubledVerticesLeaveEdgesOpen) {
  const MeshReport report = CheckMesh(Soup(UnitCube()));
  EXPECT_EQ(KindsOf(report), (Kinds{{DefectKind::kOpenBoundary, 12}}));
  EXPECT_NE(report.defects[0].message.find("join equal vertices"), std::string::npos);
  EXPECT_FALSE(report.notes.empty());
}

TEST(CheckMesh, OneSidedSurface) {
  const MeshReport strip = CheckMesh(Band(9, true));
  EXPECT_FALSE(strip.oriented);
  EXPECT_GT(strip.count(DefectKind::kNonOrientable), 0u);
  EXPECT_EQ(strip.count(DefectKind::kFlippedFace), 0u);
  EXPECT_GT(strip.count(DefectKind::kOpenBoundary), 0u);
  EXPECT_EQ(CheckMesh(Band(9, false)).count(DefectKind::kNonOrientable), 0u);
}

TEST(CheckMesh, TJunctionIsAnOpenEdge) {
  TriangleMesh mesh = UnitCube();
  mesh.vertices.push_back({0, 0, 0.5});
  mesh.faces[0] = {0, 8, 3};
  mesh.faces.push_back({8, 1, 3});
  EXPECT_EQ(KindsOf(mesh), (Kinds{{DefectKind::kOpenBoundary, 1}}));
}

TEST(CheckMesh, ShellsThatShareAnEdgeAreSound) {
  TriangleMesh mesh = UnitCube();
  const TriangleMesh other = PlainBox({1, 1, 0}, {2, 2, 1});
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (auto face : other.faces) {
    for (int& v : face) v = v == 0 ? 6 : (v == 1 ? 7 : v + 8);
    mesh.faces.push_back(face);
  }
  const MeshReport report = CheckMesh(mesh);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.shells.size(), 2u);
  EXPECT_EQ(report.shells[1].depth, 0);
  EXPECT_FALSE(report.notes.empty());
  EXPECT_DOUBLE_EQ(report.mass->volume, 2.0);
}

TEST(CheckMesh, CoordinatesThatAreNone) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 2e30}) {
    TriangleMesh mesh = UnitCube();
    mesh.vertices[2].y() = bad;
    const MeshReport report = CheckMesh(mesh);
    EXPECT_EQ(Only(report, DefectKind::kVertexOutOfRange).vertices, std::vector<int>{2});
    EXPECT_FALSE(report.closed);
    EXPECT_FALSE(report.mass.has_value());
  }
}

}  // namespace
}  // namespace volcontact
