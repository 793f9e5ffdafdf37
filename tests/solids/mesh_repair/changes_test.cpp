// What a repair says of how much it changed, vertices welded on request, and bent holes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/sample_meshes.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The cube as twelve triangles with corners of their own, moved by up to `gap`.
TriangleMesh Shaken(double gap) {
  const TriangleMesh cube = UnitCube();
  TriangleMesh mesh;
  for (std::size_t f = 0; f < cube.faces.size(); ++f) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double s = std::sin(1.0 + static_cast<double>(3 * f + i));
      mesh.vertices.push_back(cube.vertices[cube.faces[f][i]] + gap * Vector3d(s, -s * s, 0.5 * s));
    }
    const int first = static_cast<int>(3 * f);
    mesh.faces.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TEST(RepairChanges, WeldingIsAskedForAndSaid) {
  const double gap = 1e-5;
  const TriangleMesh mesh = Shaken(gap);
  EXPECT_FALSE(CheckMesh(RepairMesh(mesh).mesh).ok());  // not by itself
  const auto proposal = ProposeWelding(mesh);
  ASSERT_TRUE(proposal.has_value());
  EXPECT_GE(proposal->distance, 0.5 * gap);
  EXPECT_LE(proposal->distance, 10.0 * gap);
  EXPECT_EQ(proposal->open_edges, 36u);
  EXPECT_EQ(proposal->open_edges_left, 0u);
  const RepairResult repaired = RepairMesh(mesh, {proposal->distance});
  EXPECT_TRUE(CheckMesh(repaired.mesh).ok());
  EXPECT_EQ(repaired.mesh.vertices.size(), 8u);
  ASSERT_EQ(repaired.changes.size(), 1u);
  EXPECT_TRUE(repaired.changes[0].starts_with("joined 28 vertices at open edges to others within"));
  ASSERT_TRUE(repaired.volume_change.has_value());
  EXPECT_GT(*repaired.volume_change, 0.0);
  EXPECT_LT(*repaired.volume_change, 10.0 * 6.0 * gap);
  for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(RepairMesh(mesh, {wrong}), InvalidInput);
  }
}

TEST(RepairChanges, NothingIsProposedWhereNothingIsNear) {
  TriangleMesh open = UnitCube();
  open.faces.pop_back();
  EXPECT_FALSE(ProposeWelding(open).has_value());
  EXPECT_FALSE(ProposeWelding(UnitCube()).has_value());
  EXPECT_FALSE(ProposeWelding({}).has_value());
}

// A face of twelve: a twelfth of the area, and with the centre a twelfth of the volume.
TEST(RepairChanges, AreThoseOfTheFilledFaces) {
  TriangleMesh open = UnitCube();
  open.faces.pop_back();
  const RepairResult repaired = RepairMesh(open);
  EXPECT_NEAR(repaired.volume_change.value(), 1.0 / 12.0, 1e-15);
  EXPECT_NEAR(repaired.area_change.value(), 1.0 / 12.0, 1e-15);
  // What is turned or stood twice was there before.
  TriangleMesh turned = UnitCube();
  std::swap(turned.faces[3][0], turned.faces[3][1]);
  turned.faces.push_back(turned.faces[5]);
  EXPECT_EQ(RepairMesh(turned).volume_change.value(), 0.0);
  EXPECT_EQ(RepairMesh(turned).area_change.value(), 0.0);
  EXPECT_EQ(RepairMesh(UnitCube()).volume_change.value(), 0.0);
  // Nothing is known of what stays open.
  TriangleMesh sheet = UnitCube();
  sheet.faces.resize(2);
  EXPECT_FALSE(RepairMesh(sheet).volume_change.has_value());
}

// A cube whose top is a roof of two faces, open: the rim of four corners is not planar.
TEST(RepairChanges, BentHolesAreFilledWhereTheyAreNearlyFlat) {
  const auto roofless = [](double rise) {
    TriangleMesh mesh = UnitCube();
    for (Vector3d& v : mesh.vertices) {
      if (v.z() > 0.5 && v.x() + v.y() == 1.0) v.z() += rise;  // two opposite corners
    }
    std::erase_if(mesh.faces, [&](const auto& f) {
      return mesh.vertices[f[0]].z() > 0.5 && mesh.vertices[f[1]].z() > 0.5 &&
             mesh.vertices[f[2]].z() > 0.5;
    });
    return mesh;
  };
  const RepairResult repaired = RepairMesh(roofless(0.3));
  const MeshReport report = CheckMesh(repaired.mesh);
  EXPECT_TRUE(report.ok());
  ASSERT_EQ(repaired.changes.size(), 1u);
  EXPECT_NE(repaired.changes[0].find("the rim of one leaves its plane by"), std::string::npos);
  // Ridge or valley: both are as long as the other.
  EXPECT_NEAR(report.mass->volume, 1.15, 0.051);
  EXPECT_GT(repaired.volume_change.value(), 0.1);
  // Too steep for any filling to be meant.
  EXPECT_FALSE(CheckMesh(RepairMesh(roofless(3.0)).mesh).ok());
}

}  // namespace
}  // namespace volcontact
