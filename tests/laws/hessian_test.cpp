// The Hessian of the volume against differences of the area vector and its moment.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <utility>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::hessian_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 20260;
// The tolerance of the queries whose differences are taken, and the step as a part of the overlap's
// size. The differences are of fourth order, so that some 1e-10 is left.
constexpr double kTolerance = 1e-12;
constexpr double kStep = 2e-3;
constexpr double kRelative = 1e-7, kSmooth = 3e-8;

QueryOptions Options(bool hessian) {
  QueryOptions options;
  options.tolerance = hessian ? 1e-10 : kTolerance;
  options.hessian = hessian;
  return options;
}

Matrix3d Cross(const Vector3d& p) {
  Matrix3d M;
  M << 0.0, -p.z(), p.y(), p.z(), 0.0, -p.x(), -p.y(), p.x(), 0.0;
  return M;
}

// X turned by the rotation vector w about the point c, then moved by d.
Pose Displaced(const Pose& X, const Vector6& motion, const Vector3d& c) {
  const Vector3d d = motion.head<3>(), w = motion.tail<3>();
  const double angle = w.norm();
  if (angle == 0.0) return {X.t + d, X.q};
  const Eigen::AngleAxisd rotation(angle, w / angle);
  return MakePose(rotation * X.Rotation(), c + rotation * (X.t - c) + d);
}

struct Scene {
  Solid A, B;
  Pose X_WA = {}, X_WB = {};
};

Metrics Ask(const Scene& scene, bool hessian) {
  return PreparedPair(scene.A, scene.B).Query(scene.X_WA, scene.X_WB, Options(hessian));
}

double SizeOf(const Metrics& metrics) {
  return std::sqrt(metrics.inertia_W.trace() / metrics.volume);
}

// a, m about the fixed point c, the centroid and J_v, by motion.
struct Differences {
  Matrix36 area, moment, centroid;
  std::array<Matrix3d, 6> inertia;
  std::array<bool, 6> is_smooth;  // by motion: no corner passes through a face on the way
};

Differences Difference(const Scene& scene, const Metrics& metrics) {
  const PreparedPair pair(scene.A, scene.B);
  const Vector3d& c = metrics.centroid_W;
  const double size = SizeOf(metrics);
  Differences result;
  for (int k = 0; k < 6; ++k) {
    const double unit = k < 3 ? size : 1.0;
    // Columns: a, m, c, J.
    const auto at = [&](double step) {
      const Metrics moved = pair.Query(Displaced(scene.X_WA, Vector6::Unit(k) * step * unit, c),
                                       scene.X_WB, Options(false));
      const Vector3d& a = moved.area_vector_W;
      Matrix36 columns;
      columns << a, moved.area_moment_W + (moved.centroid_W - c).cross(a), moved.centroid_W,
          moved.inertia_W;
      return columns;
    };
    const auto central = [&](double step) {
      return Matrix36((at(step) - at(-step)) / (2.0 * step * unit));
    };
    const Matrix36 coarse = central(kStep), middle = central(0.5 * kStep),
                   fine = central(0.25 * kStep);
    const Matrix36 best = (4.0 * fine - middle) / 3.0;
    const Matrix36 change = best - (4.0 * middle - coarse) / 3.0;
    result.is_smooth[k] = change.cwiseAbs().maxCoeff() <= kSmooth * best.cwiseAbs().maxCoeff();
    result.area.col(k) = best.col(0);
    result.moment.col(k) = best.col(1);
    result.centroid.col(k) = best.col(2);
    result.inertia[k] = best.rightCols<3>();
  }
  return result;
}

Matrix6 HessianFrom(const Differences& by, const Vector3d& a) {
  Matrix6 H;
  const Matrix3d turning = by.moment.rightCols<3>();
  H << -by.area, -(by.moment.leftCols<3>() + Cross(a)), -0.5 * (turning + turning.transpose());
  return H;
}

// Rotations by the size of the overlap.
Matrix6 Scaled(const Matrix6& H, double size) {
  Vector6 units = Vector6::Ones();
  units.tail<3>().setConstant(1.0 / size);
  return units.asDiagonal() * H * units.asDiagonal();
}

void ExpectHessian(const Scene& scene, const std::string& name) {
  const Metrics metrics = Ask(scene, true);
  ASSERT_TRUE(metrics.overlap) << name;
  ASSERT_TRUE(metrics.hessian_W) << name << ": " << ::testing::PrintToString(metrics.warnings);
  EXPECT_TRUE(metrics.warnings.empty()) << name << ": " << metrics.warnings[0];
  const Matrix6& H = *metrics.hessian_W;
  EXPECT_EQ(H, H.transpose()) << name;
  const double size = SizeOf(metrics);
  const Differences by = Difference(scene, metrics);
  const Matrix6 expected = Scaled(HessianFrom(by, metrics.area_vector_W), size),
                found = Scaled(H, size);
  const double largest = expected.cwiseAbs().maxCoeff();
  int compared = 0;
  for (int k = 0; k < 6; ++k) {
    if (!by.is_smooth[k]) continue;
    ++compared;
    // The rows below are of the symmetric part, to which the other rotations contribute.
    const bool all = by.is_smooth[3] && by.is_smooth[4] && by.is_smooth[5];
    const Vector6 error = (found - expected).col(k).cwiseAbs();
    EXPECT_LE(error.head<3>().maxCoeff(), kRelative * largest) << name << ", motion " << k;
    if (k < 3 || all) {
      EXPECT_LE(error.tail<3>().maxCoeff(), kRelative * largest) << name << ", motion " << k;
    }
    const Vector3d centroid = metrics.centroid_derivative_W->col(k) - by.centroid.col(k);
    EXPECT_LE(centroid.norm(), kRelative * (k < 3 ? 1.0 : size)) << name << ", motion " << k;
    const Matrix3d inertia = (*metrics.inertia_derivative_W)[k] - by.inertia[k];
    EXPECT_LE(inertia.norm(), kRelative * metrics.inertia_W.norm() * (k < 3 ? 1.0 / size : 1.0))
        << name << ", motion " << k;
  }
  // Three motions of a half-space change nothing.
  EXPECT_GE(compared, 3) << name;
}

struct HessianFamily {
  std::string name;
  std::function<Scene(Random*)> make;

  friend void PrintTo(const HessianFamily& family, std::ostream* out) { *out << family.name; }
};

Pose Nearby(Random* random, double distance) {
  return random->PoseAt(random->UniformVector(-distance, distance));
}

std::vector<HessianFamily> HessianFamilies() {
  return {
      {"sphere_box",
       [](Random* r) {
         return Scene{Sphere(0.6), Box({1.0, 0.8, 1.2}), Nearby(r, 0.5), Nearby(r, 0.3)};
       }},
      {"balls",
       [](Random* r) {
         return Scene{Sphere(0.6), Sphere(0.4), Nearby(r, 0.2), r->PoseAt({0.4, 0.3, -0.3})};
       }},
      {"ball_ground",
       [](Random* r) {
         return Scene{Sphere(0.6).Posed(Nearby(r, 0.1)), HalfSpace(), Nearby(r, 0.2),
                      Nearby(r, 0.2)};
       }},
      {"ground_ball",
       [](Random* r) {
         return Scene{HalfSpace(), Sphere(0.6).Posed(Nearby(r, 0.1)), Nearby(r, 0.2),
                      Nearby(r, 0.2)};
       }},
      {"box_face_ball",
       [](Random* r) {
         return Scene{Box({2.0, 2.0, 2.0}), Sphere(0.4).Posed({{0.1, 0.2, 1.2}}), Nearby(r, 0.5)};
       }},
      {"cylinder_cone",
       [](Random* r) {
         return Scene{Cylinder(0.4, 1.0), Cone(0.5, 1.1), Nearby(r, 0.3), Nearby(r, 0.2)};
       }},
      {"ellipsoids",
       [](Random* r) {
         return Scene{Ellipsoid({0.3, 0.5, 0.9}), Ellipsoid({0.8, 0.4, 0.6}), Nearby(r, 0.3),
                      Nearby(r, 0.2)};
       }},
      {"boxes",
       [](Random* r) {
         return Scene{Box({1.0, 0.7, 0.5}), Box({0.6, 0.9, 1.1}), Nearby(r, 0.3), Nearby(r, 0.2)};
       }},
      {"bored_box_cylinder",
       [](Random* r) {
         const Solid bores[] = {Cylinder(0.2, 3.0).Posed(Nearby(r, 0.2)),
                                Cylinder(0.15, 3.0).Posed(Nearby(r, 0.3))};
         return Scene{Difference(Box({1.0, 0.8, 0.9}), {bores[0], bores[1]}), Cylinder(0.35, 1.5),
                      Nearby(r, 0.3), Nearby(r, 0.3)};
       }},
      {"spheres_ground",
       [](Random* r) {
         const Solid spheres =
             Union({Sphere(0.3), Sphere(0.25).Posed(r->PoseAt({0.3, 0.1, 0.05}))});
         return Scene{spheres, HalfSpace(), r->PoseAt({0.1, -0.2, 0.1}), Nearby(r, 0.05)};
       }},
      {"separate_parts",
       [](Random* r) {
         const Solid feet = Union({Sphere(0.2), Sphere(0.2).Posed(r->PoseAt({1.0, 0.0, 0.02})),
                                   Sphere(0.3).Posed(r->PoseAt({0.2, 1.0, 0.1}))});
         return Scene{feet, Sphere(4.0), r->PoseAt({0.0, 0.0, 4.0}), {}};
       }},
      {"mesh_sphere",
       [](Random* r) {
         return Scene{Mesh(BoxMesh({-0.5, -0.4, -0.6}, {0.5, 0.4, 0.6}, 3)), Sphere(0.6),
                      Nearby(r, 0.5), Nearby(r, 0.3)};
       }},
      {"cone_mesh",
       [](Random* r) {
         return Scene{Cone(0.5, 1.1), Mesh(SphereMesh(0.6, 0)), Nearby(r, 0.3), Nearby(r, 0.2)};
       }},
      {"star_drilled_ball",
       [](Random* r) {
         return Scene{Mesh(StarPrism({1.0, 0.5, 1.1, 0.6, 0.9, 0.5}, 0.7)),
                      Difference(Sphere(0.7), {Cylinder(0.2, 3.0).Posed(Nearby(r, 0.2))}),
                      Nearby(r, 0.3), Nearby(r, 0.4)};
       }},
      {"mesh_ground",
       [](Random* r) {
         return Scene{Mesh(StarPrism({1.0, 0.5, 1.1, 0.6, 0.9, 0.5}, 0.7)), HalfSpace(),
                      Nearby(r, 0.3), Nearby(r, 0.2)};
       }},
      {"ground_mesh",
       [](Random* r) {
         return Scene{HalfSpace(), Mesh(BoxMesh({-0.5, -0.4, -0.6}, {0.5, 0.4, 0.6})),
                      Nearby(r, 0.2), Nearby(r, 0.2)};
       }},
      {"mesh_box",
       [](Random* r) {
         return Scene{Mesh(StarPrism({1.0, 0.5, 1.1, 0.6, 0.9, 0.5}, 0.7)), Box({0.6, 0.9, 1.1}),
                      Nearby(r, 0.3), Nearby(r, 0.4)};
       }},
      {"slab_mesh",
       [](Random* r) {
         return Scene{Slab(0.3), Mesh(LPrism()), Nearby(r, 0.3), Nearby(r, 0.2)};
       }},
      {"meshes",
       [](Random* r) {
         return Scene{Mesh(BoxMesh({-0.5, -0.4, -0.6}, {0.5, 0.4, 0.6})), Mesh(SphereMesh(0.6, 0)),
                      Nearby(r, 0.25), Nearby(r, 0.3)};
       }},
      {"cut_mesh_cylinder",
       [](Random* r) {
         const Solid part =
             Intersection({Mesh(BoxMesh({-0.5, -0.4, -0.6}, {0.5, 0.4, 0.6}, 2)), Sphere(0.65)});
         return Scene{Cylinder(0.4, 1.5), part, Nearby(r, 0.3), Nearby(r, 0.3)};
       }},
  };
}

class HessianLaw : public ::testing::TestWithParam<HessianFamily> {};

TEST_P(HessianLaw, IsTheDerivativeOfAreaVectorAndMoment) {
  Random random(kSeed);
  for (int n = 0; n < 3; ++n) {
    ExpectHessian(GetParam().make(&random), GetParam().name + " " + std::to_string(n));
  }
}

// Sums over the circle's arcs are another way to the same numbers, at any depth.
TEST(Hessian, TheFormulaOfABallAgreesWithItsEdge) {
  Random random(kSeed);
  for (const double depth : {1e-7, 1e-3, 0.3, 0.9}) {
    for (const Scene& scene :
         {Scene{Sphere(1.0), HalfSpace(), random.PoseAt({0.3, -0.2, 1.0 - depth})},
          Scene{HalfSpace(), Sphere(1.0), {}, random.PoseAt({0.3, -0.2, 1.0 - depth})},
          Scene{Sphere(1.0), Sphere(0.5), random.PoseAt({0.0, 0.0, 1.5 - depth})},
          Scene{Sphere(0.5), Sphere(1.0), random.PoseAt({0.0, 0.0, 1.5 - depth})}}) {
      const PreparedPair pair(scene.A, scene.B);
      QueryOptions options = Options(true);
      const Metrics formula = pair.Query(scene.X_WA, scene.X_WB, options);
      options.method = Method::kBoundary;
      const Metrics edges = pair.Query(scene.X_WA, scene.X_WB, options);
      ASSERT_EQ(formula.method, Method::kClosedForm);
      ASSERT_TRUE(formula.hessian_W && edges.hessian_W) << depth;
      EXPECT_TRUE(formula.warnings.empty());
      const double size = SizeOf(formula);
      const Matrix6 expected = Scaled(*edges.hessian_W, size);
      EXPECT_LE((Scaled(*formula.hessian_W, size) - expected).norm(), 1e-8 * expected.norm());
      EXPECT_LE((*formula.centroid_derivative_W - *edges.centroid_derivative_W).norm(), 1e-7);
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_LE(((*formula.inertia_derivative_W)[k] - (*edges.inertia_derivative_W)[k]).norm(),
                  1e-7 * formula.inertia_W.norm() * (k < 3 ? 1.0 / size : 1.0));
      }
    }
  }
}

// So are sums over straight edges where two boxes cross, for a box on the ground down to no depth.
TEST(Hessian, TheFormulaOfBoxesAgreesWithTheirEdges) {
  Random random(kSeed);
  const Pose tilted =
      MakePose(Eigen::AngleAxisd(0.1, Vector3d(1, 2, 0).normalized()) * Matrix3d::Identity(),
               Vector3d(0.1, 0.2, 0.52));
  for (const Scene& scene :
       {Scene{Box({1, 1, 1}), HalfSpace(), {{0.3, 0.2, 0.5 - 1e-5}}},
        Scene{Box({1, 1, 1}), HalfSpace(), tilted}, Scene{HalfSpace(), Box({1, 1, 1}), {}, tilted},
        Scene{Box({1, 1, 1}), Box({3, 3, 0.4}), tilted, {{0, 0, -0.2}}},
        Scene{Box({1, 1, 1}), Slab(0.2), tilted},
        Scene{Box({1, 1, 1}), Box({0.8, 1.1, 0.9}), tilted, random.PoseAt({0.4, 0.3, 0.0})}}) {
    const PreparedPair pair(scene.A, scene.B);
    QueryOptions options = Options(true);
    const Metrics formula = pair.Query(scene.X_WA, scene.X_WB, options);
    options.method = Method::kBoundary;
    const Metrics edges = pair.Query(scene.X_WA, scene.X_WB, options);
    ASSERT_EQ(formula.method, Method::kClosedForm);
    ASSERT_TRUE(formula.hessian_W && edges.hessian_W);
    const double size = SizeOf(formula);
    const Matrix6 expected = Scaled(*edges.hessian_W, size);
    EXPECT_LE((Scaled(*formula.hessian_W, size) - expected).norm(), 1e-9 * expected.norm());
    EXPECT_LE((*formula.centroid_derivative_W - *edges.centroid_derivative_W).norm(), 1e-8);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_LE(((*formula.inertia_derivative_W)[k] - (*edges.inertia_derivative_W)[k]).norm(),
                1e-8 * formula.inertia_W.norm() * (k < 3 ? 1.0 / size : 1.0));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, HessianLaw, ::testing::ValuesIn(HessianFamilies()),
                         [](const auto& family) { return family.param.name; });

}  // namespace
}  // namespace volcontact::testing::hessian_test
