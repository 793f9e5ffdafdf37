// What the force sensor adds, fitted with the law, and residuals that are no noise.
#include <gtest/gtest.h>

#include <cmath>

#include "identify/experiments.h"
#include "volcontact/identify/statistics.h"
#include "volcontact/identify/stiffness_fit.h"

namespace volcontact::identify {
namespace {

// An offset of 0.8 N makes the stiffness wrong by ten times its stated error; the residuals tell,
// and with the offset among the parameters all is right.
TEST(Baseline, OffsetAndDriftOfTheForce) {
  const Press press = BallOnPlane();
  Noise noise(4);
  PressData data = BallPress();
  const Eigen::VectorXd rows = Eigen::VectorXd::LinSpaced(data.force.size(), 0.0, 1.0);
  const auto tested = [&](const LeastSquaresFit& fit) {
    return TestResiduals(fit.residuals, data.position, 20.0);
  };
  data.force += noise.Vector(data.force.size(), 0.085);
  EXPECT_FALSE(tested(FitVolumetric(data, press, {}, {}, "press")).found);
  data.force.array() += 0.8;
  const LeastSquaresFit without = FitVolumetric(data, press, {}, {}, "press");
  const Estimate wrong = without.EstimateOf(kStiffness);
  EXPECT_GT(std::abs(wrong.value - kBallStiffness), 8.0 * wrong.standard_error);
  EXPECT_TRUE(tested(without).found);
  EXPECT_GT(tested(without).significance, 10.0);
  VolumetricUnknowns unknowns;
  unknowns.baseline.offset = true;
  const LeastSquaresFit with = FitVolumetric(data, press, unknowns, {}, "press");
  EXPECT_FALSE(tested(with).found);
  const Estimate right = with.EstimateOf(kStiffness), offset = with.EstimateOf(kForceOffset);
  EXPECT_LT(std::abs(right.value - kBallStiffness), 4.0 * right.standard_error);
  EXPECT_LT(std::abs(offset.value - 0.8), 4.0 * offset.standard_error);
  EXPECT_LT(offset.standard_error, 0.05);
  // A drift besides, by a time of its own.
  data.progress = rows.array().sqrt();
  data.force += 0.5 * data.progress;
  unknowns.baseline.drift = true;
  const LeastSquaresFit both = FitVolumetric(data, press, unknowns, {}, "press");
  const Estimate drift = both.EstimateOf(kForceDrift);
  EXPECT_LT(std::abs(drift.value - 0.5), 4.0 * drift.standard_error);
  EXPECT_FALSE(tested(both).found);
}

TEST(Baseline, OffsetIsExactWithoutNoise) {
  PressData data = BallPress();
  data.force.array() += 0.8;
  VolumetricUnknowns unknowns;
  unknowns.baseline = {true, true};
  const LeastSquaresFit fit = FitVolumetric(data, BallOnPlane(), unknowns, {}, "press");
  EXPECT_NEAR(fit.EstimateOf(kStiffness).value / kBallStiffness, 1.0, 1e-8);
  EXPECT_NEAR(fit.EstimateOf(kForceOffset).value, 0.8, 1e-8);
  EXPECT_NEAR(fit.EstimateOf(kForceDrift).value, 0.0, 1e-7);
  unknowns.stiffness = kBallStiffness;
  EXPECT_NEAR(
      FitVolumetric(data, BallOnPlane(), unknowns, {}, "press").EstimateOf(kForceOffset).value, 0.8,
      1e-8);
  const LeastSquaresFit hertz = FitHertz(data, {}, "press", {true, false});
  EXPECT_EQ(hertz.names.back(), kForceOffset);
}

// Fits of noise alone hardly ever report a structure.
TEST(Baseline, NoiseHasNoStructure) {
  Noise noise(8);
  const Eigen::VectorXd key = Eigen::VectorXd::LinSpaced(60, 0.0, 1.0);
  int found = 0;
  for (int i = 0; i < 5000; ++i) found += TestResiduals(noise.Vector(60, 1.0), key, 1.0).found;
  EXPECT_LE(found, 3);
  EXPECT_TRUE(TestResiduals(key.array().sin() - 0.4, key, 1.0).found);
  EXPECT_FALSE(TestResiduals(1e-9 * key, key, 1.0).found);
}

}  // namespace
}  // namespace volcontact::identify
