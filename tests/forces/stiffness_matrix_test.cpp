// The derivative of the elastic wrench against its differences.
#include "volcontact/forces/stiffness_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::stiffness_matrix_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 31;
constexpr double kStiffness = 3e8;
// Differences of fourth order, with steps of this part of the size.
constexpr double kStep = 1e-3;

struct StiffPair {
  std::string name;
  Solid A, B;
  double reach;
};

std::vector<StiffPair> StiffPairs() {
  return {
      {"ball in the ground", Sphere(0.4), HalfSpace(), 0.2},
      {"ellipsoid in a cylinder", Ellipsoid({0.3, 0.5, 0.4}), Cylinder(0.5, 1.0), 0.5},
      {"cone on a bored plate", Cone(0.4, 0.8),
       Difference(Box({1.0, 1.2, 0.3}), {Cylinder(0.2, 1.0)}), 0.2},
      {"two balls on a ball", Union({Sphere(0.2), Sphere(0.25).Posed({{0.5, 0.0, 0.0}})}),
       Sphere(0.6), 0.5},
  };
}

QueryOptions StiffOptions(bool hessian) {
  QueryOptions options;
  options.tolerance = 1e-12;
  options.hessian = hessian;
  return options;
}

Pose Turned(const Pose& X, const Vector6& motion, const Vector3d& c) {
  const Vector3d w = motion.tail<3>();
  const Eigen::AngleAxisd rotation(w.norm(), w.norm() > 0.0 ? w.normalized() : Vector3d::UnitX());
  return MakePose(rotation * X.Rotation(), c + rotation * (X.t - c) + motion.head<3>());
}

// By differences of fourth order.
Matrix6 DifferencesOfWrench(const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB,
                            const Metrics& metrics, ContactDirection direction) {
  const Vector3d c = metrics.centroid_W;
  const double size = std::sqrt(metrics.inertia_W.trace() / metrics.volume);
  Matrix6 result;
  for (int k = 0; k < 6; ++k) {
    const auto at = [&](double step) {
      const Pose X = Turned(X_WA, Vector6::Unit(k) * step, c);
      return ElasticWrench(pair.Query(X, X_WB, StiffOptions(false)), kStiffness, c, direction);
    };
    const auto central = [&](double h) { return Vector6((at(h) - at(-h)) / (2.0 * h)); };
    const double h = kStep * (k < 3 ? size : 1.0);
    result.col(k) = (4.0 * central(0.5 * h) - central(h)) / 3.0;
  }
  Vector6 units = Vector6::Ones();
  units.tail<3>().setConstant(1.0 / size);
  return units.asDiagonal() * result * units.asDiagonal();
}

TEST(ElasticWrenchDerivative, IsThatOfTheWrench) {
  Random random(kSeed);
  for (const StiffPair& scene : StiffPairs()) {
    const PreparedPair pair(scene.A, scene.B);
    const Pose X_WA = random.PoseAt(random.UniformVector(-scene.reach, scene.reach)),
               X_WB = random.PoseAt(random.UniformVector(-0.1, 0.1));
    const Metrics metrics = pair.Query(X_WA, X_WB, StiffOptions(true));
    ASSERT_TRUE(metrics.hessian_W) << scene.name;
    const double size = std::sqrt(metrics.inertia_W.trace() / metrics.volume);
    Vector6 units = Vector6::Ones();
    units.tail<3>().setConstant(1.0 / size);
    for (const auto direction : {ContactDirection::kAreaVector, ContactDirection::kEigenvector}) {
      const Matrix6 found = units.asDiagonal() *
                            ElasticWrenchDerivative(metrics, kStiffness, direction) *
                            units.asDiagonal();
      const Matrix6 expected = DifferencesOfWrench(pair, X_WA, X_WB, metrics, direction);
      EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-7 * expected.cwiseAbs().maxCoeff())
          << scene.name << "\n"
          << found << "\n\n"
          << expected;
    }
  }
}

// Across a plane the force is that of an elastic foundation: k_v A along the normal, k_v I against
// tilting; and it goes with the overlap as that moves along the plane.
TEST(ElasticWrenchDerivative, IsTheFoundationsOnAPlane) {
  const double radius = 0.3, depth = 0.05;
  const PreparedPair pair(Cylinder(radius, 1.0), HalfSpace());
  const Metrics metrics = pair.Query({{0.1, 0.2, 0.5 - depth}}, {}, StiffOptions(true));
  const double area = std::numbers::pi * radius * radius, force = kStiffness * area * depth;
  Matrix6 expected = Matrix6::Zero();
  expected(2, 2) = -kStiffness * area;
  expected(3, 1) = force;
  expected(4, 0) = -force;
  expected(3, 3) = expected(4, 4) = -0.25 * kStiffness * area * radius * radius;
  EXPECT_LE((ElasticWrenchDerivative(metrics, kStiffness) - expected).cwiseAbs().maxCoeff(),
            1e-9 * kStiffness * area);
}

TEST(ElasticWrenchDerivative, SaysWhatIsMissing) {
  const PreparedPair pair(Sphere(0.5), Sphere(0.5));
  const Metrics plain = pair.QueryRelative(Pose{{0.3, 0.0, 0.0}});
  EXPECT_THROW(ElasticWrenchDerivative(plain, 1.0), InvalidInput);
  EXPECT_THROW(ElasticWrenchDerivative(plain, 0.0), InvalidInput);
  EXPECT_THROW(ElasticWrench(plain, -1.0, Vector3d::Zero()), InvalidInput);
  const Metrics apart = pair.QueryRelative(Pose{{3.0, 0.0, 0.0}}, StiffOptions(true));
  EXPECT_EQ(ElasticWrenchDerivative(apart, 1.0), Matrix6(Matrix6::Zero()));
  EXPECT_EQ(ElasticWrench(apart, 1.0, Vector3d::Zero()), Vector6(Vector6::Zero()));
  const Metrics inside = PreparedPair(Sphere(0.2), Sphere(1.0)).Query({}, {}, StiffOptions(true));
  EXPECT_THROW(ElasticWrenchDerivative(inside, 1.0), InvalidInput);
}

}  // namespace
}  // namespace volcontact::testing::stiffness_matrix_test
