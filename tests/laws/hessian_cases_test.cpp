// The Hessian of the volume where it is known, under symmetries, and where there is none.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>

#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::testing::hessian_cases_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 7;

Metrics AskHessian(const Solid& A, const Solid& B, const Pose& X_WA = {}, const Pose& X_WB = {},
                   bool check_hessian = true) {
  QueryOptions options;
  options.tolerance = 1e-9;
  options.hessian = true;
  options.check_hessian = check_hessian;
  return PreparedPair(A, B).Query(X_WA, X_WB, options);
}

Matrix3d Cross(const Vector3d& p) {
  Matrix3d M;
  M << 0.0, -p.z(), p.y(), p.z(), 0.0, -p.x(), -p.y(), p.x(), 0.0;
  return M;
}

// The Hessian of V(D e). D is the distance of the centre of A, at c + rho, from a fixed point, in
// the direction e.
Matrix6 HessianOfCentre(double slope, double curvature, double distance, const Vector3d& e,
                        const Vector3d& rho) {
  const Matrix3d along = e * e.transpose();
  const Matrix3d by_centre = curvature * along + slope / distance * (Matrix3d::Identity() - along);
  Matrix36 motion;  // of the centre
  motion << Matrix3d::Identity(), -Cross(rho);
  Matrix6 H = motion.transpose() * by_centre * motion;
  const Matrix3d turned = e * rho.transpose();
  H.bottomRightCorner<3, 3>() +=
      slope * (0.5 * (turned + turned.transpose()) - e.dot(rho) * Matrix3d::Identity());
  return H;
}

// By blocks, each relative to the size of its entries.
void ExpectNear(const Matrix6& found, const Matrix6& expected, double size, double relative,
                const std::string& what) {
  Vector6 units = Vector6::Ones();
  units.tail<3>().setConstant(1.0 / size);
  const Matrix6 error = units.asDiagonal() * (found - expected) * units.asDiagonal(),
                scaled = units.asDiagonal() * expected * units.asDiagonal();
  EXPECT_LE(error.cwiseAbs().maxCoeff(), relative * scaled.cwiseAbs().maxCoeff()) << what << "\n"
                                                                                  << found << "\n\n"
                                                                                  << expected;
}

TEST(HessianCases, BallInTheGround) {
  Random random(kSeed);
  for (const double depth : {0.5, 1e-2, 1e-6, 1e-8}) {
    const double R = 0.7, height = R - depth;
    const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Vector3d e = X.Rotation().col(2);
    const Pose above{X.t + height * e, {1.0, 0.0, 0.0, 0.0}};
    const Metrics metrics = AskHessian(Sphere(R), HalfSpace(), above, X);
    ASSERT_TRUE(metrics.hessian_W) << depth;
    // V = π h² (3R − h)/3, and its centroid below the centre.
    const double slope = -pi * depth * (2.0 * R - depth), curvature = 2.0 * pi * (R - depth);
    const double below = 0.75 * std::pow(2.0 * R - depth, 2) / (3.0 * R - depth);
    const Matrix6 expected =
        HessianOfCentre(slope, curvature, std::numeric_limits<double>::infinity(), e, below * e);
    // Positions round to 1e-16, which counts beside the depth.
    ExpectNear(*metrics.hessian_W, expected, std::sqrt(R * depth), 1e-9 + 1e-15 / depth,
               "depth " + std::to_string(depth));
  }
}

// Across the normal of a plane V has the slope of the cut's area, π abc (1 − z²/h²)/h at z of h,
// the support along the normal: digits do not go as the cap gets thin, however it lies.
TEST(HessianCases, ThinCapOfAnEllipsoid) {
  Random random(kSeed + 5);
  const Vector3d axes(0.3, 0.5, 0.8);
  for (const double depth : {1e-2, 1e-6, 1e-8}) {
    const Pose turned = random.PoseAt(Vector3d::Zero());
    const double support =
        axes.cwiseProduct(turned.Rotation().transpose() * Vector3d::UnitZ()).norm();
    const double z = support - depth;
    const Metrics metrics = AskHessian(Ellipsoid(axes), HalfSpace(), {{0.1, 0.2, z}, turned.q});
    ASSERT_TRUE(metrics.hessian_W) << depth;
    const double expected = 2.0 * pi * axes.prod() * z / std::pow(support, 3);
    EXPECT_NEAR((*metrics.hessian_W)(2, 2), expected, 1e-12 * expected) << depth;
    const double aside = metrics.hessian_W->leftCols<2>().topRows<3>().norm();
    EXPECT_LE(aside, 1e-12 * expected) << depth;
  }
}

TEST(HessianCases, TwoBalls) {
  Random random(kSeed + 1);
  for (const double depth : {0.3, 1e-3, 1e-6}) {
    const double R = 0.7, r = 0.4, D = R + r - depth;
    const Vector3d e = random.UnitVector(), base = random.UniformVector(-1.0, 1.0);
    const Metrics metrics =
        AskHessian(Sphere(R), Sphere(r), random.PoseAt(base + D * e), random.PoseAt(base));
    ASSERT_TRUE(metrics.hessian_W) << depth;
    // The rim, at x from the centre of B, bounds the disc of the area −dV/dD.
    const double x = 0.5 * (D * D + r * r - R * R) / D;
    const double rim = (depth * (2.0 * R - depth) / (2.0 * D)) * (r + x);
    const Matrix6 expected = HessianOfCentre(-pi * rim, 2.0 * pi * x * (1.0 - x / D), D, e,
                                             base + D * e - metrics.centroid_W);
    ExpectNear(*metrics.hessian_W, expected, std::sqrt(r * depth), 1e-9 + 1e-15 / depth,
               "depth " + std::to_string(depth));
  }
}

struct HessianScene {
  Solid A = Difference(Box({1.0, 0.8, 0.9}), {Cylinder(0.25, 3.0)});
  Solid B = Union({Ellipsoid({0.5, 0.6, 0.3}), Cone(0.4, 1.2)});
  Pose X_WA, X_WB;

  explicit HessianScene(Random* random)
      : X_WA(random->PoseAt(random->UniformVector(-0.4, 0.4))),
        X_WB(random->PoseAt(random->UniformVector(-0.3, 0.3))) {}
};

// Moving B by d and w is moving A by −R(w)' d and −w: that differs to second order by w × d.
TEST(HessianCases, BodiesExchanged) {
  Random random(kSeed + 2);
  for (int n = 0; n < 4; ++n) {
    const HessianScene scene(&random);
    const Metrics a = AskHessian(scene.A, scene.B, scene.X_WA, scene.X_WB);
    const Metrics b = AskHessian(scene.B, scene.A, scene.X_WB, scene.X_WA);
    ASSERT_TRUE(a.hessian_W && b.hessian_W);
    Matrix6 expected = *a.hessian_W;
    const Matrix3d turn = Cross(a.area_vector_W);
    expected.topRightCorner<3, 3>() -= turn;
    expected.bottomLeftCorner<3, 3>() -= turn.transpose();
    ExpectNear(*b.hessian_W, expected, 0.5, 1e-8, "exchanged");
    // The centroid follows A, or B.
    Matrix36 whole;
    whole << Matrix3d::Identity(), Matrix3d::Zero();
    EXPECT_LE((*a.centroid_derivative_W + *b.centroid_derivative_W - whole).norm(), 1e-8);
  }
}

TEST(HessianCases, WholeSceneMoved) {
  Random random(kSeed + 3);
  for (int n = 0; n < 4; ++n) {
    const HessianScene scene(&random);
    const Pose X = random.PoseAt(random.UniformVector(-3.0, 3.0));
    const auto moved = [&](const Pose& pose) {
      return MakePose(X.Rotation() * pose.Rotation(), X.t + X.Rotation() * pose.t);
    };
    const Metrics before = AskHessian(scene.A, scene.B, scene.X_WA, scene.X_WB);
    const Metrics after = AskHessian(scene.A, scene.B, moved(scene.X_WA), moved(scene.X_WB));
    ASSERT_TRUE(before.hessian_W && after.hessian_W);
    Matrix6 turn = Matrix6::Zero();
    turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = X.Rotation();
    ExpectNear(*after.hessian_W, turn * *before.hessian_W * turn.transpose(), 0.5, 1e-9, "moved");
  }
}

// Every method gives it, for the edges tell.
TEST(HessianCases, DoesNotDependOnTheMethod) {
  Random random(kSeed + 4);
  const Pose X = random.PoseAt({0.1, 0.2, 0.75});
  const Solid A = Ellipsoid({0.4, 0.5, 0.3}), B = Sphere(0.5);
  QueryOptions options;
  options.hessian = true;
  options.method = Method::kBoundary;
  const PreparedPair pair(A, B);
  const Metrics boundary = pair.Query(X, {}, options);
  options.method = Method::kColumns;
  const Metrics columns = pair.Query(X, {}, options);
  ASSERT_TRUE(boundary.hessian_W && columns.hessian_W);
  EXPECT_EQ(columns.method, Method::kColumns);
  ExpectNear(*columns.hessian_W, *boundary.hessian_W, 0.5, 1e-6, "columns");
}

TEST(HessianCases, SolidInsideAnother) {
  const Metrics metrics = AskHessian(Sphere(0.2), Box({2.0, 2.0, 1.0}), {{0.1, 0.2, 0.1}});
  ASSERT_TRUE(metrics.hessian_W);
  EXPECT_EQ(*metrics.hessian_W, Matrix6(Matrix6::Zero()));
  Matrix36 follows;
  follows << Matrix3d::Identity(), Matrix3d::Zero();
  EXPECT_LE((*metrics.centroid_derivative_W - follows).norm(), 1e-12);
}

TEST(HessianCases, NotAskedForOrWithoutOverlap) {
  const Metrics plain = PreparedPair(Sphere(0.5), Sphere(0.5)).QueryRelative(Pose{{0.3, 0.0, 0.0}});
  EXPECT_FALSE(plain.hessian_W);
  const Metrics apart = AskHessian(Sphere(0.5), Sphere(0.5), {{3.0, 0.0, 0.0}});
  EXPECT_FALSE(apart.hessian_W);
  EXPECT_TRUE(apart.warnings.empty());
}

// A mesh of a box is the box, whichever comes first, however little is left of the overlap, and as
// a leaf beside other parts.
TEST(HessianCases, MeshOfABox) {
  Random random(kSeed + 5);
  const Vector3d half(0.5, 0.4, 0.3);
  const Solid mesh = Mesh(BoxMesh(-half, half, 4)), box = Box(2.0 * half);
  const Solid others[] = {Sphere(0.4), Cylinder(0.3, 0.9), Cone(0.4, 0.8),
                          Difference(Sphere(0.5), {Cylinder(0.15, 2.0)}), Torus(0.4, 0.15)};
  for (int n = 0; n < 15; ++n) {
    const Solid& other = others[n % 5];
    const Pose X = random.PoseAt(Vector3d::Zero()),
               Y = random.PoseAt(random.Uniform(0.2, 0.6) * Vector3d::UnitX());
    const bool swapped = n % 3 == 0;
    const auto ask = [&](const Solid& block) {
      return swapped ? AskHessian(other, block, Y, X) : AskHessian(block, other, X, Y);
    };
    const Metrics found = ask(mesh), expected = ask(box);
    ASSERT_TRUE(found.hessian_W && expected.hessian_W) << n;
    ExpectNear(*found.hessian_W, *expected.hessian_W, std::cbrt(expected.volume), 1e-8, "mesh");
    EXPECT_LE((*found.centroid_derivative_W - *expected.centroid_derivative_W).norm(), 1e-8);
    for (int k = 0; k < 6; ++k) {
      const Matrix3d difference =
          (*found.inertia_derivative_W)[k] - (*expected.inertia_derivative_W)[k];
      EXPECT_LE(difference.norm(), 1e-8 * (*expected.inertia_derivative_W)[k].norm());
    }
  }
}

TEST(HessianCases, ThinMeshOverlap) {
  const Solid mesh = Mesh(BoxMesh({-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}, 3));
  for (const double depth : {1e-3, 1e-6}) {
    const Pose X_WB{{0.05, -0.02, 0.3 + 0.2 - depth}};
    const Metrics metrics = AskHessian(mesh, Sphere(0.2), {}, X_WB);
    ASSERT_TRUE(metrics.hessian_W);
    // For a cap, V'' by the depth is the derivative of its disc: 2π (r − h).
    EXPECT_NEAR((*metrics.hessian_W)(2, 2), 2.0 * pi * (0.2 - depth), 1e-8);
    EXPECT_LE(std::abs((*metrics.hessian_W)(0, 0)), 1e-8);
  }
}

// What moves and turns A changes the centroid and its inertia as their differences say.
void ExpectMomentsFollow(const Solid& A, const Solid& B, const Pose& X_WA, double depth) {
  const Metrics at = AskHessian(A, B, X_WA);
  ASSERT_TRUE(at.hessian_W) << depth;
  const double step = 1e-4 * depth;
  // Positions round to 1e-16 beside the step.
  const double tolerance = 1e-5 + 1e-15 / step;
  for (int i = 0; i < 6; ++i) {
    const Vector3d axis = Vector3d::Unit(i % 3);
    Metrics ends[2];
    for (int k = 0; k < 2; ++k) {
      const double by = k == 0 ? -step : step;
      Pose X = X_WA;
      if (i < 3) {
        X.t += by * axis;
      } else {
        const Matrix3d turn = Eigen::AngleAxisd(by, axis).toRotationMatrix();
        X = MakePose(turn * X.Rotation(), at.centroid_W + turn * (X.t - at.centroid_W));
      }
      ends[k] = AskHessian(A, B, X);
    }
    const Vector3d rate = (ends[1].centroid_W - ends[0].centroid_W) / (2.0 * step);
    const Matrix3d of_inertia = (ends[1].inertia_W - ends[0].inertia_W) / (2.0 * step);
    EXPECT_LE((at.centroid_derivative_W->col(i) - rate).norm(), tolerance * (1.0 + rate.norm()))
        << depth << ' ' << i;
    EXPECT_LE(((*at.inertia_derivative_W)[static_cast<std::size_t>(i)] - of_inertia).norm(),
              tolerance * at.inertia_W.norm() / depth)
        << depth << ' ' << i;
  }
}

// However thin the overlap of two meshes, and whichever way its sums take: a corner and an edge of
// A, longer than B, dip into B.
TEST(HessianCases, MomentsOfThinOverlapsOfMeshes) {
  const Solid block = Mesh(BoxMesh({-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}, 3));
  for (const bool is_edge : {false, true}) {
    const Vector3d half(0.1, is_edge ? 0.45 : 0.2, 0.1);
    const Solid wedge = Mesh(BoxMesh(-half, half, 2));
    const Vector3d axis(is_edge ? 0.0 : 0.1, 1.0, 0.0);
    const Eigen::Quaterniond q(Eigen::AngleAxisd(0.7, axis.normalized()));
    double lowest = 0.0;  // of the wedge's corners
    for (int n = 0; n < 8; ++n) {
      const Vector3d signs(n & 1 ? 1.0 : -1.0, n & 2 ? 1.0 : -1.0, n & 4 ? 1.0 : -1.0);
      lowest = std::min(lowest, (q * half.cwiseProduct(signs)).z());
    }
    for (const double depth : {3e-2, 1e-3, 1e-5, 1e-7}) {
      ExpectMomentsFollow(
          wedge, block, {{0.05, -0.02, 0.3 - lowest - depth}, {q.w(), q.x(), q.y(), q.z()}}, depth);
    }
  }
}

bool WarnsOfOneSide(const Metrics& metrics) {
  for (const std::string& warning : metrics.warnings) {
    if (warning.find("one side") != std::string::npos) return true;
  }
  return false;
}

// A presses one wall, and touches another with no depth: to one side V has a term that it has not
// to the other.
TEST(HessianCases, OneSidedWhereFacesTouch) {
  const Solid walls =
      Difference(Box({2.0, 2.0, 2.0}), {Box({2.0, 2.0, 2.0}).Posed({{0.5, 0.5, 0.5}})});
  const Pose along_x = AxisAngle(Vector3d::UnitY(), 0.5 * pi);
  struct Case {
    const char* what;
    Solid A;
    double reach;  // from the centre, across the walls
  };
  const Case cases[] = {
      {"a ball, in a point", Sphere(0.25), 0.25},
      {"a ring, in a point", Torus(0.25, 0.125).Posed(along_x), 0.375},
      {"a cylinder, along a line", Cylinder(0.25, 0.5).Posed(along_x), 0.25},
  };
  for (const Case& of : cases) {
    for (const double depth : {-1e-5, 0.0, 1e-5}) {
      const Pose X{{0.2, -0.5 + of.reach - depth, -0.5 + of.reach - 0.02}};
      const Metrics metrics = AskHessian(of.A, walls, X);
      ASSERT_TRUE(metrics.overlap) << of.what;
      EXPECT_EQ(WarnsOfOneSide(metrics), depth == 0.0 && metrics.hessian_W.has_value())
          << of.what << " " << depth;
      Metrics unchecked = AskHessian(of.A, walls, X, {}, false);
      EXPECT_FALSE(WarnsOfOneSide(unchecked));
      EXPECT_EQ(unchecked.hessian_W, metrics.hessian_W);
      unchecked.warnings = metrics.warnings;
      EXPECT_TRUE(BitwiseEqual(unchecked, metrics)) << of.what << " " << depth;
    }
  }
}

// Where nothing touches there is no such warning, with surfaces that are parallel or nearly so.
TEST(HessianCases, NotOneSidedWhereFacesCross) {
  const Solid bore = Difference(Box({0.1, 0.1, 0.04}), {Cylinder(0.01, 0.1)});
  const Solid ball = Sphere(0.25);
  struct Case {
    Solid A, B;
    Pose X_WA;
  };
  const Case cases[] = {
      {ball, HalfSpace(), {{0.0, 0.0, 0.2}}},
      {ball, Sphere(0.5), {{0.0, 0.3, 0.6}}},
      {Cylinder(0.0099, 0.06), bore, {{0.00012, 0.0, 0.001}}},
      {Box({1.0, 1.0, 1.0}), ball, {{0.6, 0.1, 0.0}}},
      {Cone(0.5, 1.0), Cylinder(0.3, 2.0), {{0.4, 0.1, 0.0}}},
  };
  for (const Case& of : cases) {
    const Metrics metrics = AskHessian(of.A, of.B, of.X_WA);
    ASSERT_TRUE(metrics.overlap);
    EXPECT_FALSE(WarnsOfOneSide(metrics));
  }
}

void ExpectNone(const Metrics& metrics, const std::string& reason) {
  ASSERT_TRUE(metrics.overlap) << reason;
  EXPECT_FALSE(metrics.hessian_W) << reason;
  EXPECT_FALSE(metrics.centroid_derivative_W) << reason;
  ASSERT_FALSE(metrics.warnings.empty()) << reason;
  EXPECT_NE(metrics.warnings.back().find("no Hessian: " + reason), std::string::npos)
      << metrics.warnings.back();
}

TEST(HessianCases, NoneWhereThereIsNone) {
  const Solid box = Box({1.0, 1.0, 1.0});
  ExpectNone(AskHessian(box, Box({0.5, 0.5, 1.0}), {{0.1, 0.2, 0.3}}, {{0.0, 0.0, 0.3}}),
             "faces or edges of A and B lie in each other");
  // An edge of A in a face of B.
  const Pose tilted = AxisAngle(Vector3d::UnitX(), 0.3);
  const Vector3d corner = tilted.Rotation() * Vector3d(0.0, 0.5, 0.5);
  ExpectNone(AskHessian(box, HalfSpace(), tilted, {{0.0, 0.0, corner.z()}}), "");
  // Equal cylinders that cross: V has a logarithm in its second derivative.
  ExpectNone(
      AskHessian(Cylinder(0.5, 4.0), Cylinder(0.5, 4.0), AxisAngle(Vector3d::UnitX(), 0.5 * pi)),
      "A and B touch in a point of an edge");
  const Solid cube = Mesh(BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  ExpectNone(AskHessian(cube, HalfSpace(), {{0.0, 0.1, -0.5}}), "faces or edges of A and B");
  ExpectNone(AskHessian(cube, Box({0.5, 0.5, 1.0}), {{0.1, 0.2, 0.0}}),
             "faces or edges of A and B");
  // Meshes of both bodies that meet beside curved parts, of many planes.
  const Solid one = Union({cube, Sphere(0.1).Posed({{0.5, 0.0, 0.0}})});
  const Solid round = Union({Mesh(SphereMesh(0.5, 1)), Sphere(0.1)});
  ExpectNone(AskHessian(one, round, {{0.7, 0.1, 0.0}}), "meshes of both bodies");
}

// Those of few planes are as good as half-spaces.
TEST(HessianCases, MeshesOfBothBodiesBesideCurvedPartsAreHalfSpaces) {
  const Pose X_WA = AxisAngle(Vector3d(1.0, 2.0, 0.5).normalized(), 0.4, {0.7, 0.1, 0.05});
  const Solid ball = Sphere(0.1).Posed({{0.5, 0.0, 0.0}});
  const Solid cube = Mesh(BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  const Solid box = Box({1.0, 1.0, 1.0});
  const Metrics found = AskHessian(Union({cube, ball}), Union({cube, ball}), X_WA);
  const Metrics expected = AskHessian(Union({box, ball}), Union({box, ball}), X_WA);
  ASSERT_TRUE(found.hessian_W && expected.hessian_W);
  EXPECT_LE((*found.hessian_W - *expected.hessian_W).norm(), 1e-9 * expected.hessian_W->norm());
}

}  // namespace
}  // namespace volcontact::testing::hessian_cases_test
