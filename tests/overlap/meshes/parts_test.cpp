// The parts in data/meshes: sound, of the volume they were made for, and in contact.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "support/paths.h"
#include "support/random_solids.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::testing::parts_test {
namespace {

using Eigen::Vector3d;

const std::filesystem::path kMeshes = std::filesystem::path(volcontact::DataFolder()) / "meshes";

// Volumes [m³] of the closed forms in data/make_parts.py, as its --verify prints them. STL rounds
// to single precision; the faces of the dented sphere cut off a part of the smooth solid.
struct Part {
  std::string file;
  double volume;
  double uncertainty;
};
const std::vector<Part> kParts = {
    {"bowl.obj", 9.961157289691e-05, 1e-12},         {"bracket.stl", 2.249343741938e-05, 1e-7},
    {"dented_sphere.obj", 6.332486000796e-05, 1e-2}, {"gear.obj", 9.060300916073e-06, 1e-12},
    {"handrail.obj", 3.265312577596e-05, 1e-12},     {"peg.stl", 1.857124223348e-05, 1e-7},
    {"plate.obj", 3.874538060378e-04, 1e-12}};

Solid ReadPart(const std::string& file) { return Mesh(ReadMesh(kMeshes / file).mesh); }

// Metrics of the overlap, after comparing them with those of the other order.
Metrics QueryBothWays(const Solid& A, const Solid& B, const Pose& X_WA) {
  const Metrics ab = PreparedPair(A, B).Query(X_WA, Pose{});
  const Metrics ba = PreparedPair(B, A).Query(Pose{}, X_WA);
  EXPECT_TRUE(ab.overlap);
  EXPECT_TRUE(ab.converged);
  EXPECT_TRUE(ba.converged);
  ExpectConsistent(ab);
  ExpectReversed(ab, ba, 1e-9);
  return ab;
}

TEST(Parts, AreAllListed) {
  std::set<std::string> found, listed;
  for (const auto& entry : std::filesystem::directory_iterator(kMeshes)) {
    found.insert(entry.path().filename().string());
  }
  for (const Part& part : kParts) listed.insert(part.file);
  EXPECT_EQ(found, listed);
}

TEST(Parts, AreSound) {
  for (const Part& part : kParts) {
    SCOPED_TRACE(part.file);
    const MeshFile file = ReadMesh(kMeshes / part.file);
    const MeshReport report = CheckMesh(file.mesh);
    EXPECT_TRUE(report.ok()) << report.defects.front().message;
    EXPECT_TRUE(report.notes.empty()) << report.notes.front();
    EXPECT_EQ(report.shells.size(), 1u);
    EXPECT_GE(report.faces, 1000u);
    EXPECT_LE(report.faces, 5000u);
  }
}

TEST(Parts, HaveTheirVolume) {
  for (const Part& part : kParts) {
    SCOPED_TRACE(part.file);
    const MassProperties metrics = ComputeMassProperties(ReadPart(part.file));
    EXPECT_TRUE(metrics.converged);
    EXPECT_NEAR(metrics.volume, part.volume, part.uncertainty * part.volume);
  }
}

TEST(Parts, UprightPegClearsItsHole) {
  const PreparedPair pair(ReadPart("peg.stl"), ReadPart("plate.obj"));
  const Metrics metrics = pair.QueryRelative(Pose{});
  ExpectNoOverlap(metrics);
  EXPECT_LE(metrics.distance.value(), 0.05e-3);
}

TEST(Parts, TiltedPegJamsInItsHole) {
  // The pose of the quick start; the hole's polygon lies inside its circle, by 12 µm at most.
  const Pose X_WA =
      AxisAngle({0.0, 1.0, 0.0}, 0.4 * std::numbers::pi / 180.0, {0.0001147, 0.0, -0.0001});
  const Metrics metrics = QueryBothWays(ReadPart("peg.stl"), ReadPart("plate.obj"), X_WA);
  EXPECT_GT(metrics.volume, 4e-9);
  EXPECT_LT(metrics.volume, 1e-8);
}

TEST(Parts, GearsMeshAndPress) {
  const Solid gear = ReadPart("gear.obj");
  // Half a pitch apart the teeth have room; the one gear a little higher, so that no faces are
  // flush.
  const Vector3d center(0.036, 0.0, 0.0005), z = Vector3d::UnitZ();
  const double half_pitch = std::numbers::pi / 18.0;
  ExpectNoOverlap(PreparedPair(gear, gear).Query(AxisAngle(z, half_pitch, center), Pose{}));
  // Turned either way, flanks press on flanks: the same by the mirror image of the gears.
  const Metrics left = QueryBothWays(gear, gear, AxisAngle(z, half_pitch + 0.01, center));
  const Metrics right = QueryBothWays(gear, gear, AxisAngle(z, half_pitch - 0.01, center));
  EXPECT_NEAR(left.volume, right.volume, 1e-9 * left.volume);
  const double push = left.area_vector_W.y();
  EXPECT_NEAR(right.area_vector_W.y(), -push, 1e-9 * std::abs(push));
}

}  // namespace
}  // namespace volcontact::testing::parts_test
