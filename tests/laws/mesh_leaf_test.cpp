// A mesh as a leaf anywhere in a CSG tree, by sums over arcs: against the same tree with the solid
// that the mesh is, and closed forms.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::mesh_leaf_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 34;

QueryOptions Tight() {
  QueryOptions options;
  options.tolerance = 1e-9;
  options.hessian = true;
  return options;
}

// A square plate with its top at z = 0 and a hole with corners on a circle.
TriangleMesh Drilled(int sides, double radius, double half, double thickness) {
  TriangleMesh mesh;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2.0 * pi * (k + 0.5) / sides;
    const Vector3d u(std::cos(angle), std::sin(angle), 0.0);
    const Vector3d inner = radius * u, outer = half / u.cwiseAbs().maxCoeff() * u;
    const Vector3d down(0.0, 0.0, -thickness);
    for (const Vector3d& p : {inner, outer, Vector3d(inner + down), Vector3d(outer + down)}) {
      mesh.vertices.push_back(p);
    }
    const auto at = [&](int corner, int next) { return 4 * ((k + next) % sides) + corner; };
    const auto quad = [&](int a, int b, int c, int d) {
      mesh.faces.push_back({a, b, c});
      mesh.faces.push_back({a, c, d});
    };
    quad(at(0, 0), at(1, 0), at(1, 1), at(0, 1));
    quad(at(2, 0), at(2, 1), at(3, 1), at(3, 0));
    quad(at(0, 0), at(0, 1), at(2, 1), at(2, 0));
    quad(at(1, 0), at(3, 0), at(3, 1), at(1, 1));
  }
  return mesh;
}

bool IsByArcs(const Metrics& metrics) { return metrics.stats.fallback.empty(); }

struct Tree {
  std::string name;
  std::function<Solid(const Solid& block)> make;
};

std::vector<Tree> Trees() {
  const Pose beside = AxisAngle({0.3, 1.0, 0.2}, 0.7, {0.35, 0.1, 0.05});
  const Solid pin = Cylinder(0.2, 1.3).Posed(beside), ball = Sphere(0.4).Posed(beside);
  return {{"with_a_pin",
           [=](const Solid& block) {
             return Union({block, pin});
           }},
          {"less_a_ball", [=](const Solid& block) { return Difference(block, {ball}); }},
          {"pin_less_it", [=](const Solid& block) { return Difference(pin, {block}); }},
          {"ball_with_a_drilled_one",
           [=](const Solid& block) {
             return Union({ball, Difference(block, {pin})});
           }},
          {"in_a_ball_with_a_pin",
           [=](const Solid& block) {
             return Union({Intersection({block, Sphere(0.6)}), pin});
           }},
          {"beside_a_far_ball", [=](const Solid& block) {
             return Union({block, Sphere(0.5).Posed(Pose{{9.0, 0.0, 0.0}})});
           }}};
}

class MeshLeaf : public ::testing::TestWithParam<int> {};

TEST_P(MeshLeaf, IsTheSolidThatItIs) {
  const Tree tree = Trees()[GetParam()];
  const Vector3d half(0.5, 0.4, 0.3);
  const Solid of_mesh = tree.make(Mesh(BoxMesh(-half, half, 3))),
              of_box = tree.make(Box(2.0 * half));
  const Solid others[] = {Sphere(0.45), Cylinder(0.3, 0.9), Box({0.6, 0.5, 0.7}),
                          Difference(Sphere(0.5), {Cylinder(0.15, 2.0)})};
  Random random(kSeed + GetParam());
  int overlaps = 0, undecided = 0;
  for (int n = 0; n < 12; ++n) {
    SCOPED_TRACE(n);
    const Solid& other = others[n % 4];
    const Pose X_WA = random.PoseAt(random.UniformVector(-0.1, 0.1));
    const Pose X_WB = random.PoseAt(X_WA.t + random.Uniform(0.1, 0.7) * random.UnitVector());
    const auto query = [&](const Solid& solid) {
      return n % 3 == 0 ? PreparedPair(other, solid).Query(X_WB, X_WA, Tight())
                        : PreparedPair(solid, other).Query(X_WA, X_WB, Tight());
    };
    const Metrics found = query(of_mesh), expected = query(of_box);
    ASSERT_EQ(found.overlap, expected.overlap);
    EXPECT_TRUE(found.converged);
    EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
    const OverlapProof proof = PreparedPair(of_mesh, other).Overlaps(X_WA, X_WB);
    EXPECT_NE(proof, expected.overlap ? OverlapProof::kSeparated : OverlapProof::kOverlap);
    undecided += proof == OverlapProof::kUndecided ? 1 : 0;
    if (!expected.overlap) continue;
    ++overlaps;
    const double size = std::cbrt(expected.volume);
    EXPECT_NEAR(found.volume, expected.volume, 2e-9 * expected.volume);
    EXPECT_LE((found.centroid_W - expected.centroid_W).norm(), 2e-9 * size);
    EXPECT_LE((found.inertia_W - expected.inertia_W).norm(), 2e-8 * expected.inertia_W.norm());
    EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-8 * size * size);
    EXPECT_LE((found.area_moment_W - expected.area_moment_W).norm(), 1e-8 * size * size * size);
    ASSERT_TRUE(found.hessian_W && expected.hessian_W);
    EXPECT_LE((*found.hessian_W - *expected.hessian_W).norm(),
              1e-7 * (1.0 + expected.hessian_W->norm()));
  }
  EXPECT_GE(overlaps, 6);
  EXPECT_LE(undecided, 2);
}

INSTANTIATE_TEST_SUITE_P(Trees, MeshLeaf, ::testing::Range(0, 6),
                         [](const ::testing::TestParamInfo<int>& param) {
                           return Trees()[param.param].name;
                         });

// A ball in the bore of a mesh, and one in the mesh's place: what cancels is not taken for contact.
TEST(MeshLeafThatIsCutOut, HoldsNothing) {
  const Solid mesh = Mesh(SphereMesh(1.0, 3));
  const Solid shell = Difference(Sphere(1.5), {mesh}),
              bored = Difference(mesh, {Cylinder(0.4, 3.0)});
  for (const Solid& around : {shell, bored}) {
    const PreparedPair pair(around, Sphere(0.3));
    const Pose X = AxisAngle({0.2, 0.5, 0.3}, 0.8, {0.3, -0.2, 0.4});
    const Metrics found = pair.Query(X, Pose{X.t}, Tight());
    EXPECT_FALSE(found.overlap);
    EXPECT_TRUE(found.converged);
    EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
  }
}

// Two tops that lie in one plane to rounding are one surface, of which only the lower side is the
// body's.
TEST(MeshOverFacesInOnePlane, IsTheSameEitherWayRound) {
  const Solid cube = Mesh(BoxMesh(Vector3d::Zero(), Vector3d::Ones()));
  Random random(kSeed + 7);
  for (const double step : {0.0, 2e-16, 1e-15, 1e-13}) {
    for (int n = 0; n < 3; ++n) {
      SCOPED_TRACE(::testing::Message() << step << ' ' << n);
      const Solid tops =
          Union({Box({1.0, 1.0, 1.0}), Box({1.0, 1.0, 1.0}).Posed(Pose{{1.0, 0.1, step}}),
                 Cylinder(0.2, 3.0).Posed(Pose{{-1.5, 0.0, 0.0}})});
      const Pose X_WA = random.PoseAt({0.3, random.Uniform(-0.3, 0.3), 0.43});
      const Metrics one = PreparedPair(cube, tops).Query(X_WA, Pose{}, Tight());
      const Metrics other = PreparedPair(tops, cube).Query(Pose{}, X_WA, Tight());
      ASSERT_TRUE(one.overlap && other.overlap);
      EXPECT_TRUE(IsByArcs(one)) << one.stats.fallback;
      EXPECT_TRUE(IsByArcs(other)) << other.stats.fallback;
      EXPECT_NEAR(one.volume, other.volume, 1e-9 * other.volume);
      EXPECT_LE((one.area_vector_W + other.area_vector_W).norm(), 1e-9);
    }
  }
}

// A ball that touches a mesh ball of radius one or a pin that stands out of it, as it goes round.
TEST(MeshLeafWithAPin, IsEither) {
  const Solid part = Union({Mesh(SphereMesh(1.0, 3)), Cylinder(0.2, 3.0)});
  const PreparedPair pair(part, Sphere(0.1));
  const auto volume = [&](const Vector3d& at) {
    const Metrics found = pair.Query(Pose{}, Pose{at}, Tight());
    EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
    EXPECT_TRUE(found.converged);
    return found.volume;
  };
  EXPECT_EQ(volume({0.0, 0.8, 1.2}), 0.0);
  // On the pin's end only: a cap.
  const double h = 0.02;
  const double cap = pi * h * h * (0.3 - h) / 3.0;
  EXPECT_NEAR(volume({0.0, 0.0, 1.6 - h}), cap, 1e-9 * cap);
  EXPECT_NEAR(volume({0.0, 0.0, 0.9}), 4.0 / 3.0 * pi * 1e-3, 1e-12);
}

// A shaft with a chamfer, a head and a bore, whose parts share planes, in the hole of a mesh.
TEST(MeshWithAPeg, BearsItsHead) {
  // A hole of 32 sides in a square plate.
  constexpr int kSides = 32;
  constexpr double kHole = 1.0, kHead = 1.5;
  TriangleMesh plate = Drilled(kSides, kHole, 3.0, 2.0);
  const Solid peg = Difference(Union({Cylinder(kHead, 0.5).Posed(Pose{{0.0, 0.0, 0.25}}),
                                      Cylinder(0.95, 1.0).Posed(Pose{{0.0, 0.0, -0.5}}),
                                      Cone(0.75, 0.2, 0.95).Posed(Pose{{0.0, 0.0, -1.2}})}),
                               {Cylinder(0.4, 9.0)});
  const PreparedPair pair(peg, Mesh(plate));
  const double hole = 0.5 * kSides * kHole * kHole * std::sin(2.0 * pi / kSides);
  for (const double depth : {1e-2, 1e-4, 1e-6}) {
    const Metrics found = pair.Query(Pose{{0.01, -0.02, -depth}}, Pose{}, Tight());
    EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
    EXPECT_TRUE(found.converged);
    const double expected = (pi * kHead * kHead - hole) * depth;
    EXPECT_NEAR(found.volume, expected, 1e-9 * expected);
    EXPECT_LE((found.area_normal_W - Vector3d::UnitZ()).norm(), 1e-9);
  }
  // On its way, clear of the sides.
  const Metrics apart = pair.Query(Pose{{0.01, -0.02, 0.3}}, Pose{}, Tight());
  EXPECT_FALSE(apart.overlap);
  EXPECT_TRUE(apart.converged);
  EXPECT_TRUE(IsByArcs(apart)) << apart.stats.fallback;
}

}  // namespace
}  // namespace volcontact::testing::mesh_leaf_test
