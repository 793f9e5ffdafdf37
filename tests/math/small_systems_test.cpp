#include "math/small_systems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "support/random_solids.h"

namespace volcontact::testing::small_systems_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20261127;
// Residuals relative to |A| |x|, which elimination with pivoting keeps to a few roundings.
constexpr double kResidual = 1e-14;

Matrix3d RandomMatrix(Random* random) {
  Matrix3d A;
  for (int i = 0; i < 3; ++i) A.col(i) = random->UniformVector(-1.0, 1.0);
  return A;
}

TEST(SmallSystems, PivotedMatricesSolve) {
  Random random(kSeed);
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix3d A = RandomMatrix(&random);
    const Vector3d b = random.UniformVector(-1.0, 1.0);
    const PivotedMatrix pivoted(A);
    ASSERT_TRUE(pivoted.IsInvertible());
    const Vector3d x = pivoted.Solve(b);
    EXPECT_LE((A * x - b).norm(), kResidual * A.norm() * x.norm()) << "trial " << trial;
  }
}

TEST(SmallSystems, SingularMatricesAreFoundAndSolved) {
  Matrix3d A = Matrix3d::Zero();
  A(0, 0) = 2.0;
  A(2, 2) = 4.0;
  const PivotedMatrix pivoted(A);
  EXPECT_FALSE(pivoted.IsInvertible());
  EXPECT_EQ(pivoted.Solve(Vector3d(2.0, 7.0, 8.0)), Vector3d(1.0, 0.0, 2.0));
}

TEST(SmallSystems, CholeskyFactorsSolve) {
  Random random(kSeed);
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix3d B = RandomMatrix(&random);
    const Matrix3d A = B * B.transpose() + 0.1 * Matrix3d::Identity();
    const std::optional<Matrix3d> L = CholeskyFactor(A);
    ASSERT_TRUE(L);
    EXPECT_LE((*L * L->transpose() - A).norm(), kResidual * A.norm());
    EXPECT_TRUE(L->isLowerTriangular(0.0));
    const Vector3d b = random.UniformVector(-1.0, 1.0), x = SolveCholesky(*L, b),
                   y = SolveTransposed(*L, b);
    EXPECT_LE((A * x - b).norm(), kResidual * A.norm() * x.norm()) << "trial " << trial;
    EXPECT_LE((L->transpose() * y - b).norm(), kResidual * L->norm() * y.norm());
  }
}

TEST(SmallSystems, OnlyPositiveMatricesHaveACholeskyFactor) {
  EXPECT_FALSE(CholeskyFactor(Vector3d(1.0, 1.0, 0.0).asDiagonal()));
  EXPECT_FALSE(CholeskyFactor(Vector3d(1.0, -1e-300, 1.0).asDiagonal()));
  EXPECT_FALSE(CholeskyFactor(Matrix3d::Constant(std::numeric_limits<double>::quiet_NaN())));
}

TEST(SmallSystems, EigenSystemsRebuildTheirMatrices) {
  Random random(kSeed + 2);
  for (int trial = 0; trial < 1000; ++trial) {
    // Planes: of rank two, some with all but the same normal, some as small as nothing beside
    // others.
    const double scale = std::pow(10.0, random.Uniform(-12.0, 0.0));
    Eigen::Vector4d u, v;
    for (int i = 0; i < 4; ++i) {
      u[i] = random.Uniform(-1.0, 1.0);
      v[i] = trial % 3 == 0 ? u[i] + scale * random.Uniform(-1.0, 1.0)
                            : scale * random.Uniform(-1.0, 1.0);
    }
    const Eigen::Matrix4d A = u * u.transpose() - v * v.transpose();
    const EigenSystem4 system = SymmetricEigenSystem(A);
    const Eigen::Matrix4d& V = system.vectors;
    EXPECT_LE((V * system.values.asDiagonal() * V.transpose() - A).norm(), kResidual * A.norm())
        << "trial " << trial;
    EXPECT_LE((V.transpose() * V - Eigen::Matrix4d::Identity()).norm(), kResidual)
        << "trial " << trial;
    EXPECT_TRUE(std::is_sorted(system.values.begin(), system.values.end())) << "trial " << trial;
  }
}

TEST(SmallSystems, EigenSystemsOfDiagonalsAreExact) {
  const EigenSystem4 system =
      SymmetricEigenSystem(Eigen::Vector4d(3.0, -1.0, 0.0, 2.0).asDiagonal());
  EXPECT_EQ(system.values, Eigen::Vector4d(-1.0, 0.0, 2.0, 3.0));
  EXPECT_EQ(SymmetricEigenSystem(Eigen::Matrix4d::Zero()).values,
            Eigen::Vector4d(Eigen::Vector4d::Zero()));
}

}  // namespace
}  // namespace volcontact::testing::small_systems_test
