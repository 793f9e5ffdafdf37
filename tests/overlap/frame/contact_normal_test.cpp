#include "volcontact/overlap/contact_normal.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <random>

#include "overlap/frame/raw_metrics.h"
#include "volcontact/math/error.h"
#include "volcontact/math/volume_moments.h"

namespace volcontact::contact_normal_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kDegree = M_PI / 180.0;

Matrix3d RandomRotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

// Inertia of a body with second moments c across its axes R.
Matrix3d Inertia(const Matrix3d& R, const Vector3d& c) {
  return InertiaFromSecond(R * c.asDiagonal() * R.transpose());
}

double Angle(const Vector3d& a, const Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

TEST(ContactNormal, IsTheEigenvectorOfTheLargestEigenvalue) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 5000; ++trial) {
    const Matrix3d R = RandomRotation(random);
    const double scale = std::pow(10.0, 20.0 * uniform(random) - 15.0);
    const Vector3d c(1.0, 0.6 + 0.4 * uniform(random), 0.4 * uniform(random));
    const Matrix3d J = scale * Inertia(R, c);
    const Vector3d tilt = Vector3d(uniform(random), uniform(random), 0.0) * 0.3;
    const Vector3d a = std::pow(scale, 0.4) * (R * (Vector3d::UnitZ() + tilt));
    const ContactNormal result = ComputeContactNormal(J, a);
    const Vector3d expected = Eigen::SelfAdjointEigenSolver<Matrix3d>(J).eigenvectors().col(2);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.eigenvector_weight, 1.0);
    EXPECT_LE(result.iterations, 4);
    EXPECT_LT(result.normal.cross(expected).norm(), 1e-13);
    EXPECT_GT(result.normal.dot(a), 0.0);
    EXPECT_NEAR(result.normal.norm(), 1.0, 1e-15);
  }
}

TEST(ContactNormal, FlatOverlaps) {
  std::mt19937 random(2);
  for (const double thickness : {1e-2, 1e-4, 1e-8, 0.0}) {
    // A disc, a square, and a strip whose two largest inertias differ by (w/L)² only.
    for (const Vector3d& c : {Vector3d(1, 1, 0), Vector3d(1, 0.9, 0), Vector3d(1, 1e-3, 0)}) {
      const Matrix3d R = RandomRotation(random);
      const Vector3d flat = c + Vector3d(0, 0, thickness * thickness * c.y());
      const ContactNormal result =
          ComputeContactNormal(Inertia(R, flat), R * Vector3d(0.1, 0.2, -1));
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.eigenvector_weight, 1.0);
      EXPECT_LT(Angle(result.normal, -R.col(2)), 1e-12);
    }
  }
}

// What (A.26) does as printed: it approaches the smallest eigenvalue from any start.
TEST(ContactNormal, UnshiftedInverseIterationGoesAstray) {
  const Matrix3d J = Inertia(Matrix3d::Identity(), {1.0, 0.8, 0.01});
  const Vector3d a(0.01, 0.01, 1.0);
  Vector3d n = a.normalized();
  for (int i = 0; i < 100; ++i) n = (J.inverse() * n).normalized();
  EXPECT_GT(Angle(n, Vector3d::UnitZ()), 80.0 * kDegree);
  EXPECT_LT(Angle(ComputeContactNormal(J, a).normal, Vector3d::UnitZ()), 1e-14);
}

TEST(ContactNormal, RoundOverlapsFallBackOnTheAreaVector) {
  const Vector3d a(0.3, -0.5, 2.0);
  for (const double excess : {0.0, 1e-12, 1e-3}) {
    const Matrix3d J = Inertia(Matrix3d::Identity(), {1.0, 1.0, 1.0 - excess});
    const ContactNormal result = ComputeContactNormal(J, a);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.eigenvector_weight, 0.0);
    EXPECT_LT(Angle(result.normal, a), 1e-15);
  }
}

TEST(ContactNormal, StrayingEigenvectorFallsBackOnTheAreaVector) {
  const Matrix3d J = Inertia(Matrix3d::Identity(), {1.0, 0.8, 0.1});
  for (const double degrees : {46.0, 60.0, 90.0, 120.0}) {
    const Vector3d a(std::sin(degrees * kDegree), 0.0, std::cos(degrees * kDegree));
    const ContactNormal result = ComputeContactNormal(J, a);
    EXPECT_LT(Angle(result.normal, a), 1e-15);
    EXPECT_EQ(result.eigenvector_weight, 0.0);
  }
}

// Small steps through every threshold: the normal turns by no more than some multiple of the step.
TEST(ContactNormal, IsContinuous) {
  const int steps = 20000;
  Vector3d previous_gap = Vector3d::Zero(), previous_angle = Vector3d::Zero();
  double worst_gap = 0.0, worst_angle = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double u = static_cast<double>(i) / steps;
    // From round to flat, the area vector 25° off.
    const Vector3d off(std::sin(25.0 * kDegree), 0.0, std::cos(25.0 * kDegree));
    const Vector3d by_gap =
        ComputeContactNormal(Inertia(Matrix3d::Identity(), {1.0, 0.95, 1.0 - u}), off).normal;
    // Flat, the area vector turning from 0° to 180°.
    const Vector3d a(std::sin(M_PI * u), 0.0, std::cos(M_PI * u));
    const Vector3d by_angle =
        ComputeContactNormal(Inertia(Matrix3d::Identity(), {1.0, 0.8, 0.1}), a).normal;
    if (i > 0) {
      worst_gap = std::max(worst_gap, Angle(previous_gap, by_gap));
      worst_angle = std::max(worst_angle, Angle(previous_angle, by_angle));
    }
    previous_gap = by_gap;
    previous_angle = by_angle;
  }
  EXPECT_LT(worst_gap * steps, 10.0);
  EXPECT_LT(worst_angle * steps, 20.0);
}

TEST(ContactNormal, PreviousNormalOnlyStartsTheIteration) {
  const Matrix3d J = Inertia(Matrix3d::Identity(), {1.0, 0.8, 0.05});
  const Vector3d a(0.1, 0.0, 1.0);
  const Vector3d expected = ComputeContactNormal(J, a).normal;
  ContactNormalOptions options;
  for (const Vector3d& previous : {Vector3d(0, 0, 1), Vector3d(0.3, -0.2, 1), Vector3d(1, 0, 0),
                                   Vector3d(0, 0, -1), Vector3d(-0.1 / 0.95 * 0.05, 0, -1)}) {
    options.previous = previous.normalized();
    const ContactNormal result = ComputeContactNormal(J, a, options);
    EXPECT_TRUE(result.converged);
    EXPECT_LT(Angle(result.normal, expected), 1e-14);
  }
}

TEST(ContactNormal, ThesisSettings) {
  std::mt19937 random(3);
  ContactNormalOptions options;
  options.angle_tolerance = 1.0 * kDegree;
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix3d R = RandomRotation(random);
    const Matrix3d J = Inertia(R, {1.0, 0.7, 0.1});
    options.previous = (R * Vector3d(0.05, 0.05, 1.0)).normalized();
    const ContactNormal result = ComputeContactNormal(J, R * Vector3d(0.2, 0.1, 1.0), options);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 3);
    EXPECT_LT(Angle(result.normal, R.col(2)), 1.0 * kDegree);
  }
}

TEST(ContactNormal, OneIterationIsNotCalledConverged) {
  ContactNormalOptions options;
  options.max_iterations = 1;
  const ContactNormal result = ComputeContactNormal(Inertia(Matrix3d::Identity(), {1.0, 0.7, 0.1}),
                                                    {0.2, 0.1, 1.0}, options);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 1);
}

TEST(ContactNormal, WithoutAnAreaVector) {
  const Matrix3d flat = Inertia(Matrix3d::Identity(), {1.0, 0.7, 0.1});
  // A single eigenvalue: its eigenvector, the largest component positive, or on the previous side.
  EXPECT_LT(Angle(ComputeContactNormal(flat, Vector3d::Zero()).normal, Vector3d::UnitZ()), 1e-14);
  ContactNormalOptions options;
  options.previous = Vector3d(0.1, 0.0, -1.0).normalized();
  const ContactNormal result = ComputeContactNormal(flat, Vector3d::Constant(1e-18), options);
  EXPECT_LT(Angle(result.normal, -Vector3d::UnitZ()), 1e-14);
  EXPECT_TRUE(result.converged);
  // None: nothing to go by.
  const ContactNormal none = ComputeContactNormal(Matrix3d::Identity(), Vector3d::Zero());
  EXPECT_EQ(none.normal.norm(), 0.0);
  EXPECT_FALSE(none.converged);
  EXPECT_EQ(ComputeContactNormal(Matrix3d::Zero(), Vector3d::Zero()).normal.norm(), 0.0);
}

// Against central differences, for shapes and angles at which the eigenvector has all, some and no
// weight.
TEST(ContactNormal, HasTheDerivativeThatIsStated) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::normal_distribution<double> normal;
  const double step = 1e-6;
  int mixed = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Matrix3d R = RandomRotation(random);
    const double scale = std::pow(10.0, 20.0 * uniform(random) - 15.0);
    const double thin = 1.0 - 0.4 * uniform(random);
    const Matrix3d J = scale * Inertia(R, {1.0, 0.6 + 0.4 * uniform(random), 0.6 * thin});
    const double tilt = uniform(random) * 60.0 * kDegree;
    const Vector3d a = std::pow(scale, 0.4) * (R * Vector3d(std::sin(tilt), 0.0, std::cos(tilt)));
    std::array<Matrix3d, 6> d_J;
    Matrix36 d_a;
    for (int k = 0; k < 6; ++k) {
      for (double& entry : d_J[k].reshaped()) entry = scale * normal(random);
      d_J[k] = (d_J[k] + d_J[k].transpose()).eval();
      for (int i = 0; i < 3; ++i) d_a(i, k) = a.norm() * normal(random);
    }
    const Matrix36 found = ContactNormalDerivative(J, a, d_J, d_a);
    const double weight = ComputeContactNormal(J, a).eigenvector_weight;
    mixed += weight > 0.0 && weight < 1.0 ? 1 : 0;
    for (int k = 0; k < 6; ++k) {
      const auto at = [&](double h) {
        return ComputeContactNormal(J + h * d_J[k], a + h * d_a.col(k)).normal;
      };
      const Vector3d expected = (at(step) - at(-step)) / (2.0 * step);
      EXPECT_LE((found.col(k) - expected).norm(), 1e-6 * (1.0 + expected.norm()))
          << "trial " << trial << ", weight " << weight;
    }
  }
  EXPECT_GE(mixed, 50);
  EXPECT_THROW(ContactNormalDerivative(Matrix3d::Identity(), Vector3d::Zero(), {}, {}),
               InvalidInput);
}

// A needle's length takes digits from its second moments, and is shortened for its normal: where
// the area vector decides, it is not.
TEST(ContactNormal, RoundNeedleKeepsItsAreaVector) {
  const Vector3d area(0.3, 0.9, 0.2);
  for (const double length : {1.0, 90.0, 110.0, 1e4}) {
    RawMetrics raw;
    raw.moments.volume = 1.0;
    raw.moments.second = Vector3d(1.0, 1.0 + 1e-6, length * length).asDiagonal();
    raw.area = area;
    EXPECT_LE((NormalOf(raw) - area.normalized()).norm(), 1e-12) << length;
    // Between round and flat the normal is between the axis and the area vector.
    raw.moments.second(0, 0) = 0.88;
    const Vector3d n = NormalOf(raw);
    const Vector3d across = Vector3d::UnitX().cross(area).normalized();
    EXPECT_LE(std::abs(n.dot(across)), 1e-12) << length;
  }
}

}  // namespace
}  // namespace volcontact::contact_normal_test
