// The area vector and its moment of meshes beside other solids: the derivatives of the volume,
// closed forms, and those of the same solids without meshes.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::mesh_area_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20070331;
// Volumes to 1e-8 over steps of 1e-3 of the size leave 1e-5, the step squared less; corners that
// pass through faces within a step leave up to a twentieth of it.
constexpr double kTolerance = 1e-8, kStep = 1e-3, kDerivativeTolerance = 1e-4;

struct Named {
  std::string name;
  TriangleMesh mesh;
  Solid solid;
};

TriangleMesh Scaled(const TriangleMesh& mesh, double factor) {
  return Mapped(mesh, [=](const Vector3d& p) { return Vector3d(factor * p); });
}

std::vector<Named> Meshes() {
  Random random(kSeed);
  const auto named = [](const char* name, const TriangleMesh& mesh) {
    return Named{name, mesh, Mesh(mesh)};
  };
  return {named("cube", BoxMesh(Vector3d::Constant(-0.5), Vector3d::Constant(0.5), 1)),
          named("cube_of_48", BoxMesh(Vector3d::Constant(-0.5), Vector3d::Constant(0.5), 2)),
          named("brick_of_108", BoxMesh({-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}, 3)),
          named("star", Scaled(StarMesh(&random, 1, 0.2), 0.6)),
          named("gear", GearMesh(7, 0.6, 0.4)),
          named("corner", Translated(Scaled(LPrism(), 0.5), {-0.35, -0.35, -0.25}))};
}

std::vector<Named> CurvedSolids() {
  return {{"sphere", {}, Sphere(0.5)},
          {"cylinder", {}, Cylinder(0.3, 0.9)},
          {"cone", {}, Cone(0.4, 0.8)},
          {"ellipsoid", {}, Ellipsoid({0.5, 0.35, 0.25})},
          {"torus", {}, Torus(0.4, 0.15)},
          {"drilled_ball", {}, Difference(Sphere(0.5), {Cylinder(0.15, 2.0)})},
          {"box_with_ball",
           {},
           Union({Box({0.6, 0.5, 0.4}), Sphere(0.3).Posed(Pose{{0.3, 0.1, 0.2}})})},
          {"pin", {}, Intersection({Cylinder(0.4, 0.8), Sphere(0.45)})}};
}

Pose Turned(const Pose& X, const Vector3d& w, const Vector3d& c) {
  const Eigen::AngleAxisd rotation(w.norm(), w.normalized());
  return MakePose(rotation * X.Rotation(), c + rotation * (X.t - c));
}

class MeshArea : public ::testing::TestWithParam<int> {};

TEST_P(MeshArea, IsTheDerivativeOfTheVolume) {
  const Named curved = CurvedSolids()[GetParam()];
  Random random(kSeed + GetParam());
  bool swapped = false;
  const std::vector<Named> meshes = Meshes();
  for (std::size_t i = GetParam() % 2; i < meshes.size(); i += 2) {
    const Named& mesh = meshes[i];
    SCOPED_TRACE(mesh.name + " and " + curved.name);
    swapped = !swapped;
    const PreparedPair pair(swapped ? curved.solid : mesh.solid,
                            swapped ? mesh.solid : curved.solid);
    const Pose X_WA = random.PoseAt(random.UniformVector(-0.1, 0.1));
    const Pose X_WB = random.PoseAt(X_WA.t + 0.35 * random.UnitVector());
    QueryOptions options;
    options.tolerance = 1e-7;
    const Metrics metrics = pair.Query(X_WA, X_WB, options);
    ASSERT_TRUE(metrics.overlap);
    EXPECT_TRUE(metrics.converged);
    const double size = std::cbrt(metrics.volume), area = size * size;
    const Vector3d d = random.UnitVector(), w = random.UnitVector();
    options.tolerance = kTolerance;
    double difference[2] = {0.0, 0.0};
    for (const double h : {-kStep, kStep}) {
      const Pose moved = {X_WA.t + h * size * d, X_WA.q};
      difference[0] += std::copysign(pair.Query(moved, X_WB, options).volume, h);
      const Pose turned = Turned(X_WA, h * w, metrics.centroid_W);
      difference[1] += std::copysign(pair.Query(turned, X_WB, options).volume, h);
    }
    EXPECT_NEAR(difference[0] / (2.0 * kStep * size), -metrics.area_vector_W.dot(d),
                kDerivativeTolerance * area);
    EXPECT_NEAR(difference[1] / (2.0 * kStep), -metrics.area_moment_W.dot(w),
                kDerivativeTolerance * area * size);
  }
}

INSTANTIATE_TEST_SUITE_P(Solids, MeshArea, ::testing::Range(0, 8),
                         [](const ::testing::TestParamInfo<int>& param) {
                           return CurvedSolids()[param.param].name;
                         });

void ExpectSameArea(const Metrics& found, const Metrics& expected) {
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.volume, expected.volume, 1e-8 * expected.volume);
  EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-8);
  EXPECT_LE((found.area_moment_W - expected.area_moment_W).norm(), 1e-8);
  if (expected.area_vector_W.norm() < 1e-6) return;
  EXPECT_LE((found.normal_W - expected.normal_W).norm(), 1e-6);
}

// However many triangles the faces are cut into, and whichever of both comes first; the inner faces
// of the tetrahedra lie in planes of the solids here.
TEST(MeshAreaOfABox, IsThatOfTheBox) {
  const Solid quarter = Box({2.0, 2.0, 2.0}).Posed(Pose{{1.0, 1.0, 1.0}});
  const Solid solids[] = {Sphere(0.6).Posed(Pose{{0.3, 0.2, 0.1}}),
                          Sphere(0.5).Posed(Pose{{0.5, 0.5, 0.5}}),
                          Cone(0.4, 0.8).Posed(Pose{{0.1, 0.2, 0.3}}),
                          Difference(Sphere(0.6), {quarter}),
                          Intersection({Sphere(0.6), quarter}),
                          Union({Box({2.0, 0.5, 0.5}).Posed(Pose{{1.0, 0.0, 0.0}}), Sphere(0.3)})};
  const Vector3d half = Vector3d::Constant(0.5);
  QueryOptions options;
  options.tolerance = 1e-8;
  for (std::size_t i = 0; i < std::size(solids); ++i) {
    for (const int n : {1, 2}) {
      SCOPED_TRACE(std::to_string(i) + ", " + std::to_string(n));
      const Solid mesh = Mesh(BoxMesh(-half, half, n)), box = Box(2.0 * half);
      ExpectSameArea(Query(mesh, solids[i], options), Query(box, solids[i], options));
      ExpectSameArea(Query(solids[i], mesh, options), Query(solids[i], box, options));
    }
  }
}

// A ball with its centre in a corner: an eighth of it inside, three quarter discs cut.
TEST(MeshAreaOfABox, OfABallAtACorner) {
  const double r = 0.3;
  const Solid mesh = Mesh(BoxMesh(Vector3d::Constant(-0.5), Vector3d::Constant(0.5), 2));
  const Metrics metrics = Query(mesh, Sphere(r).Posed(Pose{{0.5, 0.5, 0.5}}));
  const Vector3d quarters = Vector3d::Constant(-M_PI * r * r / 4.0);
  EXPECT_LE((metrics.area_vector_W - quarters).norm(), 1e-6 * r * r);
  EXPECT_LE((metrics.normal_W - quarters.normalized()).norm(), 1e-6);
}

// A cylinder through two faces: the area vectors of its two holes cancel; what is left has no
// direction.
TEST(MeshAreaOfABox, OfACylinderThroughItCancels) {
  const Solid mesh = Mesh(BoxMesh(Vector3d::Constant(-0.5), Vector3d::Constant(0.5), 2));
  const Metrics metrics = Query(mesh, Cylinder(0.3, 2.0).Posed(Pose{{0.1, 0.1, 0.0}}));
  EXPECT_NEAR(metrics.volume, M_PI * 0.09, 1e-6);
  EXPECT_LE(metrics.area_vector_W.norm(), 1e-6);
  EXPECT_LE(metrics.area_moment_W.norm(), 1e-6);
}

// Mean of the one-sided differences of V by the motion of A, against the area vector and its
// moment.
void ExpectMeanOfDerivatives(const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB) {
  constexpr double kSmall = 1e-5;
  QueryOptions options;
  options.tolerance = 1e-10;
  const Metrics metrics = pair.Query(X_WA, X_WB, options);
  ASSERT_TRUE(metrics.overlap);
  for (int i = 0; i < 3; ++i) {
    const Vector3d axis = Vector3d::Unit(i);
    double by_step = 0.0, by_turn = 0.0;
    for (const double h : {-kSmall, kSmall}) {
      by_step += std::copysign(pair.Query({X_WA.t + h * axis, X_WA.q}, X_WB, options).volume, h);
      const Pose turned = Turned(X_WA, h * axis, metrics.centroid_W);
      by_turn += std::copysign(pair.Query(turned, X_WB, options).volume, h);
    }
    EXPECT_NEAR(by_step / (2.0 * kSmall), -metrics.area_vector_W[i], 1e-4 * metrics.contact_area);
    EXPECT_NEAR(by_turn / (2.0 * kSmall), -metrics.area_moment_W[i],
                1e-4 * metrics.contact_area * std::cbrt(metrics.volume));
  }
}

// What faces of two meshes share counts half for each, whichever way the pair is turned.
TEST(FlushMeshes, ShareTheirFaces) {
  Random random(kSeed);
  const Vector3d half(0.5, 0.4, 0.3);
  const Solid coarse = Mesh(BoxMesh(-half, half, 2)), fine = Mesh(BoxMesh(-half, half, 3)),
              box = Box(2.0 * half);
  for (const Vector3d& d :
       {Vector3d(0.2, 0.1, 0.0), Vector3d(0.2, 0.0, 0.0), Vector3d(0.0, -0.1, 0.0),
        Vector3d(-0.3, 0.2, 0.1), Vector3d(0.0, 0.0, 0.0)}) {
    for (const Pose& X_WA : {Pose{}, random.PoseAt({1.0, 2.0, 3.0})}) {
      const Pose X_WB{X_WA * d, X_WA.q};
      const Metrics expected = PreparedPair(box, box).Query(X_WA, X_WB);
      for (const Solid& other : {fine, box}) {
        const Metrics found = PreparedPair(coarse, other).Query(X_WA, X_WB);
        EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 1e-12) << d.transpose();
        EXPECT_LE((found.area_moment_W - expected.area_moment_W).norm(), 1e-12) << d.transpose();
      }
    }
  }
}

TEST(FlushMeshes, OfEqualGearsEndToEnd) {
  const Solid gear = Mesh(GearMesh(12, 1.0, 0.4));
  const PreparedPair pair(gear, gear);
  for (const double angle : {0.0, 0.05}) {
    const Pose X_WB = MakePose(AxisAngle(Vector3d::UnitZ(), angle).Rotation(), {1.7, 0.1, 0.0});
    ExpectMeanOfDerivatives(pair, Pose{}, X_WB);
    // No torque that tips them.
    const Metrics metrics = pair.Query(Pose{}, X_WB);
    EXPECT_LE(std::hypot(metrics.area_moment_W.x(), metrics.area_moment_W.y()), 1e-12);
    EXPECT_LE(std::abs(metrics.area_vector_W.z()), 1e-12);
  }
}

// Faces that touch from both sides count for nothing, beside others that dip in.
TEST(FlushMeshes, DoNotCountWhatOnlyTouches) {
  const Solid step = Mesh(LPrism());
  ExpectMeanOfDerivatives(PreparedPair(step, step), Pose{}, Pose{{0.3, 0.2, 0.0}});
  const Vector3d half(0.5, 0.4, 0.3);
  for (const Solid& body : {Mesh(BoxMesh(-half, half, 2)), Box(2.0 * half)}) {
    const Metrics flush = PreparedPair(body, HalfSpace()).Query(Pose{}, Pose{{0.0, 0.0, 0.3}});
    EXPECT_LE((flush.area_vector_W - Vector3d(0.0, 0.0, 0.4)).norm(), 1e-12);
    EXPECT_LE(flush.area_moment_W.norm(), 1e-12);
    EXPECT_FALSE(PreparedPair(body, HalfSpace()).Query(Pose{}, Pose{{0.0, 0.0, -0.3}}).overlap);
  }
}

// A union whose parts share planes with each other and with the other body.
TEST(FlushMeshes, InUnionsAreThoseOfTheBox) {
  const Vector3d half(0.5, 0.4, 0.3);
  const Solid slab = Box({0.7, 0.7, 0.5}).Posed(Pose{{0.2, 0.2, 0.05}});
  for (const double z : {0.0, 0.05, 0.3}) {
    const Solid pin = Cylinder(0.3, 0.6).Posed(Pose{{0.1, 0.05, z}});
    const Metrics found = Query(Union({Mesh(BoxMesh(-half, half, 2)), pin}), slab);
    EXPECT_TRUE(found.stats.fallback.empty()) << found.stats.fallback;
    ExpectSameArea(found, Query(Union({Box(2.0 * half), pin}), slab));
  }
}

}  // namespace
}  // namespace volcontact::testing::mesh_area_test
