// With the papers' noise, 200 draws of a fixed seed: estimates within 4 of their standard errors,
// and standard errors that match the spread within 20 %.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "identify/experiments.h"
#include "volcontact/identify/cylinder_wedge.h"
#include "volcontact/identify/friction_fit.h"
#include "volcontact/identify/restitution_fit.h"

namespace volcontact::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kDraws = 200;

/// One parameter over all draws.
class Draws {
 public:
  Draws(std::string name, double truth) : name_(std::move(name)), truth_(truth) {}

  void Add(double value, double standard_error) {
    values_.push_back(value);
    squares_ += standard_error * standard_error;
    worst_ = std::max(worst_, std::abs(value - truth_) / standard_error);
  }
  void Check() const {
    const Eigen::Map<const VectorXd> all(values_.data(), static_cast<Index>(values_.size()));
    const double spread = std::sqrt((all.array() - all.mean()).square().sum() / (kDraws - 1.0));
    const double stated = std::sqrt(squares_ / kDraws);
    std::printf("%-24s stated/spread %.3f, worst %.2f standard errors\n", name_.c_str(),
                stated / spread, worst_);
    EXPECT_EQ(values_.size(), static_cast<std::size_t>(kDraws));
    EXPECT_NEAR(stated / spread, 1.0, 0.2) << name_;
    EXPECT_LT(worst_, 4.0) << name_;
    EXPECT_LT(std::abs(all.mean() - truth_), 4.0 * spread / std::sqrt(kDraws)) << name_;
  }

 private:
  std::string name_;
  double truth_, squares_ = 0.0, worst_ = 0.0;
  std::vector<double> values_;
};

// 0.085 N, 400 samples to 20 N (Boos 2011, Sections 3.3.1 and 3.3.3).
TEST(MonteCarlo, Ball) {
  const Press press = BallOnPlane();
  const PressData clean = BallPress();
  Draws contact("ball contact_point", 3e-6), stiffness("ball stiffness", kBallStiffness);
  Noise noise(1);
  for (int i = 0; i < kDraws; ++i) {
    PressData data = clean;
    data.force += noise.Vector(data.force.size(), 0.085);
    const LeastSquaresFit fit = FitVolumetric(data, press, {}, {}, "ball");
    contact.Add(fit.x[0], fit.StandardError(0));
    stiffness.Add(fit.x[1], fit.StandardError(1));
  }
  contact.Check();
  stiffness.Check();
}

TEST(MonteCarlo, Hertz) {
  PressData clean = BallPress();
  clean.force = HertzForce(clean.position, 4.79e9, 3e-6);
  Draws contact("hertz contact_point", 3e-6), stiffness("hertz stiffness", 4.79e9);
  Noise noise(2);
  for (int i = 0; i < kDraws; ++i) {
    PressData data = clean;
    data.force += noise.Vector(data.force.size(), 0.085);
    const LeastSquaresFit fit = FitHertz(data, {}, "ball");
    contact.Add(fit.x[0], fit.StandardError(0));
    stiffness.Add(fit.x[1], fit.StandardError(1));
  }
  contact.Check();
  stiffness.Check();
}

TEST(MonteCarlo, Damping) {
  const Press press = BallOnPlane();
  const Press::Tilted straight = press.At(0.0);
  Draws damping("damping", 7.4566), one("damping_factor", -7.4566 / 3e-4);
  Noise noise(3);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<ImpactDamping> impacts;
    for (const double v0 : {1e-4, 3e-4}) {
      ImpactData data = BallImpact(v0, 7.4566);
      data.force += noise.Vector(data.force.size(), 0.085);
      impacts.push_back(FitDamping(data, straight, {kBallStiffness, {}, {}}, {}));
    }
    const CombinedEstimate mean = Relate(impacts).damping;
    damping.Add(mean.value, mean.standard_error);
    one.Add(impacts[1].factor, impacts[1].factor_error);
  }
  damping.Check();
  one.Check();
}

TEST(MonteCarlo, BreakAway) {
  for (const double sigma : {0.005, 0.01}) {
    FrictionRun clean = SlowPull(0.204, 4500.0, 300.0);
    clean.time.resize(0);
    Draws mu_s("mu_s", 0.204), sigma0("sigma0", 4500.0), sigma1("sigma1", 300.0);
    Noise noise(4);
    for (int i = 0; i < kDraws; ++i) {
      FrictionRun run = clean;
      run.coefficient += noise.Vector(run.coefficient.size(), sigma);
      const LeastSquaresFit fit = FitBreakAway(run, 0.0, {}).fit;
      sigma0.Add(fit.x[0], fit.StandardError(0));
      sigma1.Add(fit.x[1], fit.StandardError(1));
      mu_s.Add(fit.x[2], fit.StandardError(2));
    }
    for (const Draws* draws : {&mu_s, &sigma0, &sigma1}) draws->Check();
  }
}

TEST(MonteCarlo, Sliding) {
  for (const double sigma : {0.005, 0.01}) {
    const std::vector<FrictionRun> clean = SteadyPulls(0.187, 10.4);
    Draws mu_c("mu_c", 0.187), sigma2("sigma2", 10.4);
    Noise noise(5);
    for (int i = 0; i < kDraws; ++i) {
      std::vector<FrictionRun> runs = clean;
      for (FrictionRun& run : runs) run.coefficient += noise.Vector(run.speed.size(), sigma);
      const LeastSquaresFit fit = *FitSliding(runs, {}, "steady").fit;
      mu_c.Add(fit.x[0], fit.StandardError(0));
      sigma2.Add(fit.x[1], fit.StandardError(1));
    }
    mu_c.Check();
    sigma2.Check();
  }
}

TEST(MonteCarlo, AzadFeatherstone) {
  const VectorXd speed = VectorXd::LinSpaced(20, -3.0, 1.5).array().exp();
  const VectorXd clean = speed.unaryExpr(
      [](double v) { return Restitution(RestitutionModel::kAzadFeatherstone, 0.3, v); });
  Draws beta("beta", 0.3);
  Noise noise(6);
  for (int i = 0; i < kDraws; ++i) {
    const LeastSquaresFit fit =
        FitRestitution(RestitutionModel::kAzadFeatherstone, speed,
                       clean + noise.Vector(speed.size(), 0.01), {}, "drops");
    beta.Add(fit.x[0], fit.StandardError(0));
  }
  beta.Check();
}

}  // namespace
}  // namespace volcontact::identify
