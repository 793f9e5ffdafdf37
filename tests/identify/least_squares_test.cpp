// The solver: exactness, standard errors, robust loss, bootstrap, and what it refuses.
#include "volcontact/identify/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "identify/experiments.h"
#include "volcontact/identify/statistics.h"
#include "volcontact/math/error.h"

namespace volcontact::identify {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// y = a + b x.
LeastSquaresProblem Line(const VectorXd& x, const VectorXd& y, double scale_b = 1.0) {
  LeastSquaresProblem problem;
  problem.names = {"a", "b"};
  problem.start = Eigen::Vector2d(0.0, 0.0);
  problem.observations = x.size();
  problem.evaluate = [=](const VectorXd& at, VectorXd* residuals, MatrixXd* jacobian) {
    *residuals = (at[0] + at[1] * scale_b * x.array() - y.array()).matrix();
    if (jacobian == nullptr) return;
    jacobian->col(0).setOnes();
    jacobian->col(1) = scale_b * x;
  };
  return problem;
}

TEST(LeastSquares, LineAsByTheNormalEquations) {
  const VectorXd x = VectorXd::LinSpaced(20, 0.0, 3.0);
  Noise noise(7);
  const VectorXd y = (1.0 + 2.0 * x.array()).matrix() + noise.Vector(20, 0.1);
  const LeastSquaresFit fit = FitLeastSquares(Line(x, y), {}, "line");
  const double mean = x.mean(), spread = (x.array() - mean).square().sum();
  const double slope = (x.array() - mean).matrix().dot(y) / spread;
  const VectorXd left = (y.mean() + slope * (x.array() - mean) - y.array()).matrix();
  const double variance = left.squaredNorm() / 18.0;
  EXPECT_NEAR(fit.x[1], slope, 1e-12);
  EXPECT_NEAR(fit.StandardError(1), std::sqrt(variance / spread), 1e-12);
  EXPECT_NEAR(fit.StandardError(0), std::sqrt(variance * (1.0 / 20.0 + mean * mean / spread)),
              1e-12);
  EXPECT_NEAR(fit.HalfWidth(1) / fit.StandardError(1), 2.10092204, 1e-8);  // Student, 18
  EXPECT_NEAR(fit.Correlations()(0, 1), -mean / std::sqrt(mean * mean + spread / 20.0), 1e-12);
}

TEST(LeastSquares, ParametersOfVeryDifferentSize) {
  const VectorXd x = VectorXd::LinSpaced(20, 0.0, 3.0);
  const LeastSquaresFit fit =
      FitLeastSquares(Line(x, (1.0 + 2.0 * x.array()).matrix(), 1e-25), {}, "line");
  EXPECT_NEAR(fit.x[1] / 2e25, 1.0, 1e-12);
}

TEST(LeastSquares, NumericalDerivativesAgreeWithExact) {
  const VectorXd x = VectorXd::LinSpaced(5, 0.0, 1.0);
  const auto evaluate = WithNumericalJacobian(
      [&](const VectorXd& at) -> VectorXd { return (at[0] * (at[1] * x.array()).exp()).matrix(); },
      Eigen::Vector2d::Constant(1e-5));
  VectorXd residuals(5);
  MatrixXd jacobian(5, 2);
  evaluate(Eigen::Vector2d(2.0, -1.0), &residuals, &jacobian);
  const VectorXd decay = (-x.array()).exp().matrix();
  EXPECT_LT((jacobian.col(0) - decay).norm(), 1e-9);
  EXPECT_LT((jacobian.col(1) - 2.0 * x.cwiseProduct(decay)).norm(), 1e-9);
}

TEST(LeastSquares, HuberWithstandsOutliers) {
  const VectorXd x = VectorXd::LinSpaced(100, 0.0, 1.0);
  Noise noise(3);
  VectorXd y = (1.0 + 2.0 * x.array()).matrix() + noise.Vector(100, 0.01);
  for (int i = 90; i < 100; ++i) y[i] += 5.0;
  const LeastSquaresFit squared = FitLeastSquares(Line(x, y), {}, "line");
  const LeastSquaresFit huber = FitLeastSquares(Line(x, y), {.loss = Loss::kHuber}, "line");
  EXPECT_GT(std::abs(squared.x[1] - 2.0), 1.0);
  EXPECT_LT(std::abs(huber.x[1] - 2.0), 0.02);
  EXPECT_NEAR(huber.scale, 0.01, 0.006);
}

TEST(LeastSquares, HuberIsSquaredWithoutNoise) {
  const VectorXd x = VectorXd::LinSpaced(30, 0.0, 1.0);
  const LeastSquaresFit fit =
      FitLeastSquares(Line(x, (1.0 + 2.0 * x.array()).matrix()), {.loss = Loss::kHuber}, "line");
  EXPECT_NEAR(fit.x[1], 2.0, 1e-12);
}

TEST(LeastSquares, BootstrapRepeatsAndAgreesWithTheJacobian) {
  const VectorXd x = VectorXd::LinSpaced(200, 0.0, 1.0);
  Noise noise(5);
  const VectorXd y = (1.0 + 2.0 * x.array()).matrix() + noise.Vector(200, 0.1);
  const LeastSquaresFit fit = FitLeastSquares(Line(x, y), {.bootstrap = 400}, "line");
  const LeastSquaresFit again = FitLeastSquares(Line(x, y), {.bootstrap = 400}, "line");
  ASSERT_EQ(fit.bootstrap.size(), 2u);
  EXPECT_EQ(fit.bootstrap_failures, 0);
  EXPECT_EQ(fit.bootstrap[1].low, again.bootstrap[1].low);
  EXPECT_NEAR(fit.bootstrap[1].standard_error / fit.StandardError(1), 1.0, 0.15);
  EXPECT_LT(fit.bootstrap[1].low, fit.x[1]);
  EXPECT_GT(fit.bootstrap[1].high, fit.x[1]);
}

TEST(LeastSquares, NamesWhatIsNotDetermined) {
  const VectorXd same = VectorXd::Ones(10), y = VectorXd::Ones(10);
  try {
    FitLeastSquares(Line(same, y), {}, "line");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("do not determine a and b apart"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(FitLeastSquares(Line(VectorXd::Zero(10), y), {}, "line"), InvalidInput);
  EXPECT_THROW(FitLeastSquares(Line(VectorXd::Ones(1), VectorXd::Ones(1)), {}, "line"),
               InvalidInput);
}

TEST(Combine, WeighsByErrorsAndWidensWithScatter) {
  const CombinedEstimate agreed = Combine(Eigen::Vector2d(1.0, 1.1), Eigen::Vector2d(0.1, 0.2));
  EXPECT_NEAR(agreed.value, 1.02, 1e-12);
  EXPECT_NEAR(agreed.standard_error, 0.1 * 2.0 / std::sqrt(5.0), 1e-12);
  EXPECT_FALSE(agreed.scattered);
  const CombinedEstimate scattered =
      Combine(Eigen::Vector3d(1.0, 2.0, 3.0), Eigen::Vector3d::Constant(0.01));
  EXPECT_TRUE(scattered.scattered);
  EXPECT_NEAR(scattered.standard_error, 1.0 / std::sqrt(3.0), 1e-9);
  EXPECT_EQ(Combine(Eigen::Vector2d(2.0, 2.0), Eigen::Vector2d::Zero()).value, 2.0);
}

}  // namespace
}  // namespace volcontact::identify
