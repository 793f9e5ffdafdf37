// Overlaps of polyhedra are closed meshes of the volume that a query gives.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/display/display.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::polyhedral_overlap_test {
namespace {

using Eigen::Vector3d;

// A mesh for display with each vertex once: bodies that share no edge.
struct Welded {
  explicit Welded(const DisplayMesh& mesh) {
    std::map<std::array<double, 3>, int> numbers;
    for (const auto& triangle : mesh.triangles) {
      std::array<int, 3> face;
      for (int i = 0; i < 3; ++i) {
        const Vector3d& p = mesh.points[triangle[i]];
        const auto [at, is_new] =
            numbers.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(points.size()));
        if (is_new) points.push_back(p);
        face[i] = at->second;
      }
      if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) faces.push_back(face);
    }
  }

  // Edges that do not have exactly one face on either side.
  int BadEdges() const {
    std::map<std::pair<int, int>, int> count;
    for (const auto& f : faces) {
      for (int i = 0; i < 3; ++i) ++count[{f[i], f[(i + 1) % 3]}];
    }
    int bad = 0;
    for (const auto& [edge, n] : count) {
      const auto back = count.find({edge.second, edge.first});
      bad += n != 1 || back == count.end();
    }
    return bad;
  }

  double Volume() const {
    double volume = 0.0;
    for (const auto& f : faces) {
      const Vector3d a = points[f[0]] - points[0], b = points[f[1]] - points[0];
      volume += a.cross(b).dot(points[f[2]] - points[0]) / 6.0;
    }
    return volume;
  }

  int Components() const {
    std::vector<int> of(points.size());
    std::iota(of.begin(), of.end(), 0);
    for (bool changes = true; changes;) {
      changes = false;
      for (const auto& f : faces) {
        const int least = std::min({of[f[0]], of[f[1]], of[f[2]]});
        for (const int v : f) {
          changes |= of[v] != least;
          of[v] = least;
        }
      }
    }
    return static_cast<int>(std::set<int>(of.begin(), of.end()).size());
  }

  std::vector<Vector3d> points;
  std::vector<std::array<int, 3>> faces;
};

Pose PoseOf(const Vector3d& t, const Vector3d& turn = Vector3d::Zero()) {
  if (turn.isZero(0.0)) return MakePose(Eigen::Matrix3d::Identity(), t);
  return MakePose(Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix(), t);
}

const Pose kInWorld = PoseOf({0.3, -0.2, 0.7}, {0.3, -0.7, 1.1});

// Returns the number of connected parts.
int ExpectClosed(const std::string& name, const Solid& A, const Solid& B, const Pose& X_AB) {
  const Pose X_WB = Compose(kInWorld, X_AB);
  const double volume = PreparedPair(A, B).Query(kInWorld, X_WB).volume;
  const OverlapDisplay overlap = DisplayOverlap(A, kInWorld, B, X_WB);
  const Welded mesh(overlap.mesh);
  EXPECT_GT(volume, 0.0) << name;
  EXPECT_EQ(mesh.BadEdges(), 0) << name << ", " << mesh.faces.size() << " faces";
  EXPECT_NEAR(mesh.Volume() / volume, 1.0, 1e-12) << name;
  EXPECT_EQ(overlap.owners.size(), overlap.mesh.triangles.size()) << name;
  EXPECT_TRUE(overlap.mesh.complete) << name;
  return mesh.Components();
}

TEST(PolyhedralOverlap, MeshesInGeneralPoses) {
  Random random(54);
  const std::vector<std::pair<std::string, Solid>> solids = {
      {"ball", Mesh(SphereMesh(0.5, 3))},
      {"torus", Mesh(TorusMesh(0.5, 0.2, 24, 16))},
      {"star", Mesh(StarMesh(&random, 3, 0.3))},
      {"gear", Mesh(GearMesh(11, 0.5, 0.3))},
      {"L", Mesh(Translated(LPrism(), {-0.6, -0.7, -0.4}))},
      {"box", Box({0.8, 0.7, 0.6})},
      {"slab", Slab(0.2)},
      {"half-space", HalfSpace()},
      {"frame", Difference(Box({1.0, 1.0, 0.3}), {Box({0.6, 0.6, 1.0}), HalfSpace()})},
      {"pair", Union({Mesh(SphereMesh(0.3, 2)), Box({0.2, 0.2, 1.2})})},
  };
  int count = 0;
  for (const auto& [name_A, A] : solids) {
    for (const auto& [name_B, B] : solids) {
      if (!A.Bounds().IsBounded() && !B.Bounds().IsBounded()) continue;
      const Pose X_AB = PoseOf({random.Uniform(-0.2, 0.2), random.Uniform(-0.2, 0.2), 0.2},
                               {random.Uniform(-1, 1), random.Uniform(-1, 1), 0.4});
      ExpectClosed(name_A + " and " + name_B, A, B, X_AB);
      ++count;
    }
  }
  EXPECT_EQ(count, 96);
}

TEST(PolyhedralOverlap, SeveralParts) {
  // Legs of a comb in a plate, and a ball in a shell of a box: an outer and an inner surface.
  const Solid comb = Mesh(Polycube(
      {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}, {0, 0, 0}, {2, 0, 0}, {4, 0, 0}}));
  EXPECT_EQ(ExpectClosed("comb", comb, Slab(0.7), PoseOf({0.0, 0.0, -0.1}, {0.02, 0.01, 0.0})), 3);
  const TriangleMesh ball = SphereMesh(0.5, 3);
  const Solid shell = Mesh(Joined(ball, Reversed(SphereMesh(0.3, 2))));
  EXPECT_EQ(ExpectClosed("shell", Box({2.0, 2.0, 2.0}), shell, PoseOf({0.1, 0.2, 0.3})), 2);
}

TEST(PolyhedralOverlap, FlushFaces) {
  const Solid cube = Mesh(BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 3));
  for (const Vector3d& t : {Vector3d(0, 0, 0), Vector3d(0.3, 0, 0), Vector3d(0.3, 0.2, 0)}) {
    EXPECT_EQ(ExpectClosed("cubes", cube, cube, PoseOf(t)), 1);
    EXPECT_EQ(ExpectClosed("cube and box", cube, Box({1.0, 1.0, 1.0}), PoseOf(t)), 1);
  }
}

TEST(PolyhedralOverlap, ThinLayers) {
  const Solid ball = Mesh(SphereMesh(0.5, 4));
  for (const double depth : {1e-3, 1e-6}) {
    const Pose X_WB = PoseOf({0.0, 0.0, -0.5 + depth});
    const double volume = PreparedPair(ball, HalfSpace()).Query(Pose(), X_WB).volume;
    const Welded mesh(DisplayOverlap(ball, Pose(), HalfSpace(), X_WB).mesh);
    EXPECT_EQ(mesh.BadEdges(), 0) << depth;
    // Vertices are rounded to some 1e-16 of a depth of 1e-3 or 1e-6.
    EXPECT_NEAR(mesh.Volume() / volume, 1.0, 1e-15 / depth) << depth;
  }
}

// The edges where A's boundary crosses B's close, and are not drawn within faces of one body.
TEST(PolyhedralOverlap, ArcsAreBetweenFacesOfBothBodies) {
  const Solid ball = Mesh(SphereMesh(0.5, 4));
  const Pose X_WB = Compose(kInWorld, PoseOf({0.1, 0.2, 0.3}));
  const OverlapDisplay overlap = DisplayOverlap(ball, kInWorld, HalfSpace(), X_WB);
  ASSERT_EQ(overlap.arcs.size(), 1u);
  EXPECT_EQ((overlap.arcs[0].front() - overlap.arcs[0].back()).norm(), 0.0);
  double area_of_b = 0.0;
  for (std::size_t n = 0; n < overlap.owners.size(); ++n) {
    std::array<Vector3d, 3> p;
    for (int i = 0; i < 3; ++i) p[i] = overlap.mesh.points[overlap.mesh.triangles[n][i]];
    if (overlap.owners[n] == DisplayOwner::kB) {
      area_of_b += 0.5 * (p[1] - p[0]).cross(p[2] - p[0]).norm();
    }
  }
  const Metrics metrics = PreparedPair(ball, HalfSpace()).Query(kInWorld, X_WB);
  EXPECT_NEAR(area_of_b / metrics.area_vector_W.norm(), 1.0, 1e-12);
}

}  // namespace
}  // namespace volcontact::testing::polyhedral_overlap_test
