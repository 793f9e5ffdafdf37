// Meshes that stand for other solids: no bracket excludes the other solid's volume, and what is
// thinner than the deviation has not converged.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_repair.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/solid_parts.h"

namespace volcontact::deviation_test {
namespace {

using testing::Random;

constexpr double kRadius = 0.05, kPi = 3.14159265358979323846;
// The error of the closed forms and quadratures that give the true values.
constexpr double kTruth = 1e-9;

// A ball's mesh, and how far it is from it: its vertices on the ball, or its faces about it.
struct BallMesh {
  TriangleMesh mesh;
  double deviation = 0.0;
};

BallMesh MeshOfBall(int level, bool is_about) {
  TriangleMesh mesh = testing::SphereMesh(kRadius, level);
  double nearest = kRadius;
  for (const auto& f : mesh.faces) {
    const Eigen::Vector3d &a = mesh.vertices[f[0]], &b = mesh.vertices[f[1]],
                          &c = mesh.vertices[f[2]];
    nearest = std::min(nearest, std::abs((b - a).cross(c - a).normalized().dot(a)));
  }
  const double scale = is_about ? kRadius / nearest : 1.0;
  for (Eigen::Vector3d& v : mesh.vertices) v *= scale;
  const double deviation = scale * (kRadius - nearest) * (1.0 + 1e-9);
  mesh.deviations.assign(mesh.faces.size(), deviation);
  return {mesh, deviation};
}

bool NamesTheCure(const Metrics& metrics) {
  return std::ranges::any_of(metrics.warnings, [](const std::string& warning) {
    return warning.find("--deviation") != std::string::npos;
  });
}

// What is said of the overlap of meshes holds for that of the solids that they stand for.
void ExpectHolds(const Metrics& of_meshes, const Metrics& truth, const std::string& where) {
  const double noise = kTruth * truth.volume + truth.volume_error;
  EXPECT_NEAR(of_meshes.volume, truth.volume, of_meshes.volume_error + noise) << where;
  ASSERT_TRUE(of_meshes.volume_bounds) << where;
  EXPECT_LE((*of_meshes.volume_bounds)[0], truth.volume + noise) << where;
  EXPECT_GE((*of_meshes.volume_bounds)[1], truth.volume - noise) << where;
  if (of_meshes.converged) {
    EXPECT_NEAR(of_meshes.volume, truth.volume, of_meshes.tolerance * of_meshes.volume + noise)
        << where;
  } else {
    EXPECT_TRUE(NamesTheCure(of_meshes)) << where;
  }
}

struct Partner {
  std::string name;
  Solid solid;
  double top;  // the height of its highest plane or point, at the origin
};

std::vector<Partner> Partners() {
  return {{"half-space", HalfSpace(), 0.0},
          {"box", Box({0.3, 0.3, 0.1}), 0.05},
          {"ball", Sphere(0.08), 0.08},
          {"cylinder", Cylinder(0.04, 0.1), 0.05},
          {"difference",
           Difference(Box({0.3, 0.3, 0.1}), {Sphere(0.06).Posed(Pose{{0.1, 0, 0.05}})}), 0.05}};
}

TEST(Deviation, NoBracketExcludesTheSolidThatAMeshStandsFor) {
  Random random(1);
  QueryOptions exact;
  exact.tolerance = 1e-10;
  for (const bool is_about : {false, true}) {
    const BallMesh ball = MeshOfBall(3, is_about);
    const double d = ball.deviation;
    for (const Partner& partner : Partners()) {
      const PreparedPair truth(Sphere(kRadius), partner.solid);
      const PreparedPair meshes(Mesh(ball.mesh), partner.solid);
      const PreparedPair exchanged(partner.solid, Mesh(ball.mesh));
      for (const double depth : {-1.5 * d, -0.5 * d, -0.01 * d, 0.01 * d, d, 10.0 * d, 0.02}) {
        const Pose X_WA = random.PoseAt({0.003, 0.001, partner.top + kRadius - depth});
        const Metrics expected = truth.Query(X_WA, Pose(), exact);
        const std::string where =
            partner.name + (is_about ? " about" : " in") + ", depth " + std::to_string(depth / d);
        const Metrics found = meshes.Query(X_WA, Pose());
        ExpectHolds(found, expected, where);
        ExpectHolds(exchanged.Query(Pose(), X_WA), expected, where + ", exchanged");
        if (depth > 0.0 && depth <= d) {
          EXPECT_FALSE(found.converged) << where;
        }
        if (!found.overlap) {
          EXPECT_LE(found.distance.value(), expected.distance.value_or(0.0) + 1e-12) << where;
        }
      }
    }
  }
}

// Two meshes that stand for balls, cut-outs, combinations, poses given to solids.
TEST(Deviation, SurvivesCombinationsAndPoses) {
  Random random(2);
  const BallMesh ball = MeshOfBall(2, false);
  const Solid mesh = Mesh(ball.mesh), round = Sphere(kRadius);
  const Solid block = Box({0.2, 0.2, 0.06});
  struct Case {
    Solid mesh, truth;
  };
  for (int i = 0; i < 2; ++i) {
    const Pose X = random.PoseAt(random.UniformVector(-0.02, 0.02));
    for (const Case& one :
         {Case{Difference(block, {mesh.Posed(X)}), Difference(block, {round.Posed(X)})},
          Case{Union({block, mesh.Posed(X)}), Union({block, round.Posed(X)})},
          Case{Intersection({block, mesh.Posed(X)}), Intersection({block, round.Posed(X)})}}) {
      const Pose X_WB = random.PoseAt(random.UniformVector(-0.05, 0.05));
      const std::string where = "case " + std::to_string(i);
      const Solid pin = Sphere(0.04);
      ExpectHolds(Query(one.mesh, pin.Posed(X_WB)), Query(one.truth, pin.Posed(X_WB)), where);
    }
  }
  // Two meshes, which are both nearer to each other than they look.
  for (const double depth : {-0.5, 0.1, 1.0, 30.0}) {
    const Pose X_WB{{0.0, 0.0, 2.0 * kRadius - depth * ball.deviation}};
    ExpectHolds(Query(mesh, mesh.Posed(X_WB)), Query(round, round.Posed(X_WB)),
                "depth " + std::to_string(depth));
  }
  const Metrics apart = Query(mesh, mesh.Posed(Pose{{0.0, 0.0, 2.0 * kRadius + ball.deviation}}));
  EXPECT_LE(apart.distance.value(), ball.deviation);
}

TEST(Deviation, IsThatOfTheFacesNearTheContact) {
  const int sides = 64;
  TriangleMesh prism = testing::StarPrism(std::vector<double>(sides, kRadius), 0.04);
  const double d = kRadius * (1.0 - std::cos(kPi / sides)) * (1.0 + 1e-9);
  for (const auto& f : prism.faces) {
    const double z = prism.vertices[f[0]].z();
    const bool is_cap = prism.vertices[f[1]].z() == z && prism.vertices[f[2]].z() == z;
    prism.deviations.push_back(is_cap ? 0.0 : d);
  }
  // On its exact face the depth may be below what the wall deviates.
  const double depth = 0.5 * d;
  QueryOptions options;
  options.tolerance = 0.1;
  const Metrics flat =
      PreparedPair(Mesh(prism), HalfSpace()).Query(Pose{{0.0, 0.0, 0.02 - depth}}, Pose(), options);
  EXPECT_TRUE(flat.converged) << flat.volume_error / flat.volume;
  EXPECT_NEAR(flat.volume, kPi * kRadius * kRadius * depth, flat.volume_error);
  const Metrics side = PreparedPair(Mesh(prism), HalfSpace())
                           .Query(testing::AxisAngle({1, 0, 0}, 0.5 * kPi, {0, 0, kRadius - depth}),
                                  Pose(), options);
  EXPECT_FALSE(side.converged);
  const MassProperties mass = ComputeMassProperties(Mesh(prism));
  EXPECT_FALSE(mass.converged);
  EXPECT_NEAR(mass.volume, kPi * kRadius * kRadius * 0.04, mass.volume_error);
  EXPECT_LT(mass.volume_error, 0.01 * mass.volume);
}

TEST(Deviation, IsInBatchesAndPatchesAndCopies) {
  const BallMesh ball = MeshOfBall(2, false);
  const Solid mesh = Mesh(ball.mesh);
  const PreparedPair pair(mesh, Box({0.3, 0.3, 0.1}));
  const Pose X_WA{{0.0, 0.0, 0.05 + kRadius - 0.004}};
  const Metrics single = pair.Query(X_WA, Pose());
  EXPECT_FALSE(single.converged);
  const std::vector<Metrics> batch = pair.QueryBatch({{X_WA, Pose()}});
  EXPECT_EQ(batch.at(0).volume_error, single.volume_error);
  const std::vector<Metrics> patches = pair.QueryPatches(X_WA, Pose());
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_FALSE(patches[0].converged);
  EXPECT_GE(patches[0].volume_error, 0.9 * single.volume_error);
  EXPECT_EQ(MeshOf(mesh)->deviations, ball.mesh.deviations);
  EXPECT_EQ(RepairMesh(ball.mesh).mesh.deviations, ball.mesh.deviations);
  // As a mesh that is meant as it is it has no doubt.
  TriangleMesh plain = ball.mesh;
  plain.deviations.clear();
  EXPECT_TRUE(Query(Mesh(plain), HalfSpace()).converged);
  plain.deviations.assign(plain.faces.size(), 0.0);
  EXPECT_TRUE(Query(Mesh(plain), HalfSpace()).converged);
}

TEST(Deviation, MustBeOneDistanceForEachFace) {
  TriangleMesh mesh = testing::BoxMesh({0, 0, 0}, {1, 1, 1});
  mesh.deviations = {0.1};
  EXPECT_THROW(Mesh(mesh), InvalidInput);
  mesh.deviations.assign(mesh.faces.size(), -0.1);
  EXPECT_THROW(Mesh(mesh), InvalidInput);
  mesh.deviations.assign(mesh.faces.size(), std::nan(""));
  EXPECT_THROW(Mesh(mesh), InvalidInput);
}

// A face that slants over all of a wedge has nothing to do with a contact below it, although its
// box holds that: neither it nor what lies about its edges is open.
TEST(Deviation, DoesNotReachWhereAFaceIsNot) {
  TriangleMesh wedge;
  wedge.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}};
  wedge.faces = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {3, 5, 2},
                 {0, 4, 5}, {0, 5, 3}, {1, 2, 5}, {1, 5, 4}};
  wedge.deviations.assign(8, 0.0);
  wedge.deviations[6] = wedge.deviations[7] = 1e-3;
  const Solid part = Mesh(wedge);
  const double depth = 1e-4, radius = 0.05;
  const auto pressed_at = [&](double x, double y) {
    const Solid ball = Sphere(radius).Posed(Pose{{x, y, depth - radius}});
    return PreparedPair(part, ball).QueryRelative(Pose());
  };
  const double truth = kPi * depth * depth * (radius - depth / 3.0);
  for (const double x : {0.2, 0.4, 0.6, 0.8}) {
    const Metrics below = pressed_at(x, 0.5);
    EXPECT_TRUE(below.converged) << x;
    EXPECT_NEAR(below.volume, truth, 1e-9 * truth) << x;
  }
  const Metrics at_rim = pressed_at(1.0 - 5e-4, 0.5);
  EXPECT_FALSE(at_rim.converged);
  EXPECT_GT(at_rim.volume_error, 1e-3 * at_rim.volume);
}

}  // namespace
}  // namespace volcontact::deviation_test
