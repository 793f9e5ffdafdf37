// Distances of combinations with a mesh in them: against closed forms, and points all over their
// boundaries.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solids/mesh/mesh_membership.h"
#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::combined_distance_test {
namespace {

using Eigen::Vector3d;

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

// The bound, either way round and anywhere in the world, is never above the distance and within a
// tenth of it; the points are on the solids and not much farther from each other.
void ExpectDistance(const Solid& A, const Solid& B, double distance) {
  const Pose X_W = AxisAngle(Vector3d(0.4, 1.0, -0.7).normalized(), 2.2, {0.3, 0.1, -0.2});
  for (const bool exchanged : {false, true}) {
    const PreparedPair pair(exchanged ? B : A, exchanged ? A : B);
    const Separation apart = pair.Separate(X_W, X_W);
    EXPECT_LE(apart.distance_bound, distance * (1.0 + 1e-9) + 1e-14);
    EXPECT_GE(apart.distance_bound, 0.9 * distance - 1e-13);
    EXPECT_NE(pair.Overlaps(X_W, X_W), OverlapProof::kOverlap);
    ASSERT_TRUE(apart.nearest_W);
    const auto& [x, y] = *apart.nearest_W;
    EXPECT_GE((x - y).norm(), distance * (1.0 - 1e-6) - 1e-12);
    EXPECT_LE((x - y).norm(), 1.1 * distance + 1e-12);
  }
}

TEST(CombinedDistance, OfABallInAHollowCutFromAMesh) {
  const Solid block = Mesh(BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 4));
  const Solid hollow = Difference(block, {Sphere(0.3)});
  const Solid bowl = Difference(block, {Sphere(0.4).Posed(At(0.0, 0.0, 0.5))});
  for (const double gap : {0.05, 1e-3, 1e-6, 1e-9}) {
    SCOPED_TRACE(gap);
    ExpectDistance(hollow, Sphere(0.1).Posed(At(0.2 - gap, 0.0, 0.0)), gap);
    // It sticks out of the bowl, through where the mesh had been.
    ExpectDistance(bowl, Sphere(0.2).Posed(At(0.0, 0.0, 0.3 + gap)), gap);
    // The lower corners of a bar, on a circle about the hollow's axis.
    const double deep = std::sqrt((0.4 - gap) * (0.4 - gap) - 0.02);
    ExpectDistance(bowl, Box({0.2, 0.2, 2.0}).Posed(At(0.0, 0.0, 1.5 - deep)), gap);
    ExpectDistance(Intersection({block, Sphere(0.6)}), Sphere(0.1).Posed(At(0.6 + gap, 0.0, 0.0)),
                   gap);
  }
  // Over the hollow the rim is nearest.
  ExpectDistance(bowl, Sphere(0.1).Posed(At(0.0, 0.0, 0.65)), std::hypot(0.4, 0.15) - 0.1);
}

// Where a ball touches, between the bowl's side and its rim, the event function is continuous.
TEST(CombinedDistance, LeadsContinuouslyIntoContact) {
  const Solid block = Mesh(BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 4));
  const PreparedPair pair(Difference(block, {Sphere(0.4).Posed(At(0.0, 0.0, 0.5))}), Sphere(0.15));
  double before = std::numeric_limits<double>::infinity();
  for (const double height : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, -1e-6, -1e-4, -1e-2}) {
    const Vector3d down = Vector3d(0.6, 0.0, -0.8);
    const Vector3d p = Vector3d(0.0, 0.0, 0.5) + (0.25 - height) * down;
    const double event = pair.EventFunction(Pose{}, At(p.x(), p.y(), p.z()));
    if (height > 0.0) {
      EXPECT_GE(event, 0.9 * height - 1e-13);
      EXPECT_LE(event, height * (1.0 + 1e-6));
    } else {
      EXPECT_LT(event, 0.0);
    }
    EXPECT_LT(event, before);
    before = event;
  }
}

// Points spread over a mesh's faces, and over a ball and a cylinder's side.
std::vector<Vector3d> SpreadOver(const TriangleMesh& mesh, double radius, double bore) {
  std::vector<Vector3d> points;
  constexpr int kSides = 12, kAround = 240;
  for (const auto& face : mesh.faces) {
    for (int i = 0; i <= kSides; ++i) {
      for (int j = 0; i + j <= kSides; ++j) {
        points.push_back((i * mesh.vertices[face[0]] + j * mesh.vertices[face[1]] +
                          (kSides - i - j) * mesh.vertices[face[2]]) /
                         kSides);
      }
    }
  }
  for (int i = 0; i < kAround; ++i) {
    for (int j = 0; j <= kAround / 2; ++j) {
      const double phi = 2.0 * M_PI * i / kAround, theta = 2.0 * M_PI * j / kAround;
      const Vector3d around(std::cos(phi), std::sin(phi), 0.0);
      points.push_back(radius * (std::sin(theta) * around + std::cos(theta) * Vector3d::UnitZ()));
      points.push_back(bore * around + 2.0 * (2.0 * j / kAround * 2.0 - 1.0) * Vector3d::UnitZ());
    }
  }
  return points;
}

TEST(CombinedDistance, IsThatOfPointsAllOverTheBoundary) {
  Random random(3);
  const TriangleMesh star = StarMesh(&random, 2, 0.15);
  const MeshTree tree(star);
  const Solid part = Difference(Mesh(star), {Sphere(0.6), Cylinder(0.3, 4.0)});
  std::vector<Vector3d> points = SpreadOver(star, 0.6, 0.3);
  // All of the mesh is farther from the middle than the ball; of the bore what lies in it.
  std::erase_if(points, [&](const Vector3d& p) {
    if (p.norm() < 0.6 - 1e-9 || p.head<2>().norm() < 0.3 - 1e-9) return true;
    const bool on_bore = p.head<2>().norm() < 0.3 + 1e-9;
    return on_bore && LocateInMesh(tree, p) == volcontact::Truth::kFalse;
  });
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const double radius = random.Uniform(0.02, 0.2);
    const Vector3d center = random.Uniform(0.0, 1.6) * random.UnitVector();
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vector3d& p : points) nearest = std::min(nearest, (p - center).norm());
    const double distance = nearest - radius;
    if (part.Locate(center) == Membership::kInside || distance < 0.02) continue;
    ++compared;
    const PreparedPair pair(part, Sphere(radius));
    const double bound = pair.DistanceBound(Pose{}, At(center.x(), center.y(), center.z()));
    EXPECT_LE(bound, distance + 1e-12);
    EXPECT_GE(bound, 0.85 * distance - 2e-3);
  }
  EXPECT_GE(compared, 20);
}

}  // namespace
}  // namespace volcontact::testing::combined_distance_test
