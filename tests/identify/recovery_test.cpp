// Parameters behind noise-free data are found to 1e-9, and data that do not show them are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>

#include "identify/experiments.h"
#include "volcontact/forces/damping.h"
#include "volcontact/forces/normal_force.h"
#include "volcontact/identify/cylinder_wedge.h"
#include "volcontact/identify/damping_fit.h"
#include "volcontact/identify/friction_fit.h"
#include "volcontact/identify/friction_motion.h"
#include "volcontact/identify/friction_parameters.h"
#include "volcontact/identify/restitution_fit.h"
#include "volcontact/identify/stiffness_fit.h"
#include "volcontact/math/error.h"

namespace volcontact::identify {
namespace {

using Eigen::VectorXd;

void ExpectError(const std::function<void()>& run, const std::string& message) {
  try {
    run();
    ADD_FAILURE() << "accepted, instead of: " << message;
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

double worst_recovery = 0.0;

void ExpectRecovered(double found, double truth) {
  EXPECT_NEAR(found / truth, 1.0, 1e-9);
  const double error = std::abs(found / truth - 1.0);
  if (error <= worst_recovery) return;
  worst_recovery = error;
  std::printf("worst recovery so far: %.2g\n", error);
}

TEST(Recovery, BallStiffnessAndContactPoint) {
  const Press press = BallOnPlane();
  const LeastSquaresFit fit = FitVolumetric(BallPress(), press, {}, {}, "ball");
  EXPECT_TRUE(fit.converged);
  ExpectRecovered(fit.x[0], 3e-6);
  ExpectRecovered(fit.x[1], kBallStiffness);
}

TEST(Recovery, Hertz) {
  PressData data = BallPress();
  data.force = HertzForce(data.position, 4.79e9, 2.5e-6);
  const LeastSquaresFit fit = FitHertz(data, {}, "ball");
  ExpectRecovered(fit.x[0], 2.5e-6);
  ExpectRecovered(fit.x[1], 4.79e9);
}

// Forces by Boos 2011, Eqs. (3.19)-(3.21), the depth taken along the axis.
PressData PunchPress(double stiffness, double tilt, double deepest) {
  const CylinderWedge wedge(5e-3, tilt);
  PressData data;
  data.position = VectorXd::LinSpaced(400, 0.0, 2e-6 + deepest);
  data.force = data.position.unaryExpr([&](double p) {
    return p > 2e-6 ? stiffness * wedge.Volume((p - 2e-6) / std::cos(tilt)) : 0.0;
  });
  return data;
}

TEST(Recovery, TiltOfAPunch) {
  PressPath path;
  path.X_WA.t.z() = 0.01;
  const Press press(Cylinder(5e-3, 0.02), HalfSpace(), path, 1e-12);
  const double tilt = 0.32 * std::numbers::pi / 180.0;
  const LeastSquaresFit known =
      FitVolumetric(PunchPress(7.26e12, tilt, 1e-5), press, {7.26e12, true}, {}, "punch");
  ExpectRecovered(known.x[0], 2e-6);
  ExpectRecovered(known.x[1], tilt);
  // Deep enough, stiffness and tilt can be told apart.
  const LeastSquaresFit all =
      FitVolumetric(PunchPress(7.26e12, tilt, 5.5e-5), press, {{}, true}, {}, "punch");
  ExpectRecovered(all.x[0], 2e-6);
  ExpectRecovered(all.x[1], 7.26e12);
  ExpectRecovered(all.x[2], tilt);
}

TEST(Recovery, FlatPunch) {
  PressPath path;
  path.X_WA.t.z() = 0.01;
  const Press press(Cylinder(5e-3, 0.02), HalfSpace(), path, 1e-9);
  PressData data;
  data.position = VectorXd::LinSpaced(100, 0.01, 0.01002);
  data.force = data.position.unaryExpr(
      [](double p) { return 1.24e11 * std::numbers::pi * 25e-6 * std::max(0.0, p - 0.010005); });
  const LeastSquaresFit fit = FitVolumetric(data, press, {}, {}, "punch");
  ExpectRecovered(fit.x[0], 0.010005);
  ExpectRecovered(fit.x[1], 1.24e11);
}

TEST(Recovery, PressesWithoutContactAreRefused) {
  const Press press = BallOnPlane();
  PressData data = BallPress();
  const auto fit = [&] { FitVolumetric(data, press, {}, {}, "press.csv"); };
  data.force.setZero();
  ExpectError(fit, "press.csv: the force is always 0 N: no contact shows");
  Noise noise(1);
  data.force = noise.Vector(400, 0.085);
  if (data.force.dot((data.position.array() - data.position.mean()).matrix()) < 0.0) {
    data.force *= -1.0;
  }
  ExpectError(fit, "no contact shows in the data");
  data = BallPress();
  data.force *= -1.0;
  ExpectError(fit, "`MeasurementSource::negated`");
  data.position.setConstant(1e-6);
  ExpectError(fit, "positions are all the same");
}

TEST(Recovery, Damping) {
  const Press press = BallOnPlane();
  const Press::Tilted straight = press.At(0.0);
  std::vector<ImpactDamping> impacts;
  for (const double v0 : {1e-4, 3e-4, 6e-4, 1e-3}) {
    impacts.push_back(FitDamping(BallImpact(v0, 7.4566), straight, {kBallStiffness, {}, {}}, {}));
    ExpectRecovered(impacts.back().factor, -7.4566 / v0);
    ExpectRecovered(impacts.back().contact_point, 2e-6);
    ExpectRecovered(impacts.back().impact_speed, v0);
  }
  const DampingRelation relation = Relate(impacts);
  ExpectRecovered(relation.damping.value, 7.4566);
  ASSERT_TRUE(relation.exponent);
  ExpectRecovered(relation.exponent->x[1], 1.0);
}

TEST(Recovery, ImpactsThatSayNothingAreRefused) {
  const Press press = BallOnPlane();
  const Press::Tilted straight = press.At(0.0);
  const DampingKnowns known = {kBallStiffness, {}, {}};
  ImpactData data = BallImpact(1e-4, 5.0);
  const auto fit = [&] { FitDamping(data, straight, known, {}); };
  data.force.setConstant(2.0);
  ExpectError(fit, "no contact shows");
  data = BallImpact(1e-4, 5.0);
  const Eigen::Index half = 70;
  data.position = data.position.tail(half).eval();
  data.velocity = data.velocity.tail(half).eval();
  data.force = data.force.tail(half).eval();
  ExpectError(fit, "no sample comes before contact");
  data = BallImpact(1e-4, 5.0);
  data.velocity *= -1.0;
  ExpectError(fit, "turn the sign of one column");
}

TEST(Recovery, CentralDifferencesAreExactForParabolas) {
  const VectorXd t = VectorXd::LinSpaced(20, 0.0, 1.0);
  const VectorXd v = CentralDifferences(t, (3.0 * t.array() + t.array().square()).matrix(), "x");
  for (int i = 1; i < 19; ++i) EXPECT_NEAR(v[i], 3.0 + 2.0 * t[i], 1e-12);
  VectorXd back = t;
  back[5] = back[4];
  EXPECT_THROW(CentralDifferences(back, t, "x"), InvalidInput);
}

TEST(Recovery, BreakAway) {
  const BreakAway pull = FitBreakAway(SlowPull(0.3, 4500.0, 300.0), 0.0, {});
  EXPECT_FALSE(pull.falls);
  ExpectRecovered(pull.fit.x[0], 4500.0);
  ExpectRecovered(pull.fit.x[1], 300.0);
  ExpectRecovered(pull.fit.x[2], 0.3);
}

TEST(Recovery, BreakAwayBackwardsAndWithViscousFriction) {
  FrictionRun run = SlowPull(0.3, 4500.0, 300.0);
  run.coefficient += 10.0 * run.speed;
  run.travel *= -1.0;
  run.speed *= -1.0;
  run.coefficient *= -1.0;
  const BreakAway pull = FitBreakAway(run, 10.0, {});
  ExpectRecovered(pull.fit.x[1], 300.0);
  ExpectRecovered(pull.fit.x[2], 0.3);
}

// Rotation during the pull takes the share C_v from the peak (Boos 2011, Eq. (5.6)).
TEST(Recovery, BreakAwayWithContensouCorrection) {
  FrictionRun run = SlowPull(0.3, 4500.0, 300.0);
  run.mixed = true;
  for (Eigen::Index i = 1; i < run.speed.size(); ++i) {
    const double other = 0.5 * run.speed[i] * (1.0 + 0.5 * std::sin(0.1 * static_cast<double>(i)));
    run.average_speed[i] = std::hypot(run.speed[i], other);
    run.share[i] = run.speed[i] / run.average_speed[i];
    const double stick = 4500.0 * run.travel[i] + 300.0 * run.speed[i];
    run.coefficient[i] = std::min(stick, 0.3 * run.share[i]);
  }
  run.time.resize(0);
  const BreakAway pull = FitBreakAway(run, 0.0, {});
  ExpectRecovered(pull.fit.x[2], 0.3);
  ExpectRecovered(pull.fit.x[0], 4500.0);
}

// Friction that falls to that of sliding shows the Stribeck velocity.
TEST(Recovery, BreakAwayThatFalls) {
  const VectorXd t = VectorXd::LinSpaced(600, 0.0, 6.0);
  FrictionRun run = Motion(t, 5e-5 * t.cwiseAbs2(), 1e-4 * t);
  const BristleFriction law{
      .mu_s = 0.5, .mu_c = 0.4, .sigma0 = 1e4, .sigma1 = 600.0, .v_stribeck = 2e-4};
  run.coefficient = SimulateCoefficient(run, law);
  const BreakAway pull = FitBreakAway(run, 0.0, {});
  ASSERT_TRUE(pull.falls);
  ExpectRecovered(pull.fit.x[2], 0.5);
  ExpectRecovered(pull.fit.x[3], 0.4);
  ExpectRecovered(pull.fit.x[4], 2e-4);
}

TEST(Recovery, PullsThatNeverBreakAwayAreRefused) {
  FrictionRun run = SlowPull(0.3, 4500.0, 300.0);
  run.coefficient = 4500.0 * run.travel;
  ExpectError([&] { FitBreakAway(run, 0.0, {}); }, "never breaks away");
  run.coefficient.setConstant(0.3);
  EXPECT_THROW(FitBreakAway(run, 0.0, {}), InvalidInput);
  run.travel.setZero();
  ExpectError([&] { FitBreakAway(run, 0.0, {}); }, "does not move");
  run.travel.resize(0);
  ExpectError([&] { FitBreakAway(run, 0.0, {}); }, "a column \"position\"");
}

TEST(Recovery, Sliding) {
  const Sliding sliding = FitSliding(SteadyPulls(0.187, 10.4), {}, "steady");
  ASSERT_TRUE(sliding.fit);
  ExpectRecovered(sliding.fit->x[0], 0.187);
  ExpectRecovered(sliding.fit->x[1], 10.4);
  EXPECT_NEAR(sliding.r_squared, 1.0, 1e-9);
  std::vector<FrictionRun> mixed = SteadyPulls(0.187, 10.4);
  mixed[0].share.setConstant(0.1);
  mixed[1].speed[0] = 0.0;
  const Sliding fewer = FitSliding(mixed, {}, "steady");
  EXPECT_EQ(fewer.rows, 1000);
  EXPECT_EQ(fewer.other_motion, 25);
  EXPECT_EQ(fewer.at_rest, 1);
  EXPECT_EQ(sliding.LeftOut(), "");
  const Sliding none = FitSliding({}, {}, "steady");
  EXPECT_FALSE(none.fit);
  std::vector<FrictionRun> same(3, SteadyPulls(0.187, 10.4)[0]);
  const Sliding one_speed = FitSliding(same, {}, "steady");
  EXPECT_FALSE(one_speed.fit);
  EXPECT_NE(one_speed.reason.find("all steady runs are at about"), std::string::npos);
}

// f_t = f_n (μ_C C_v + σ2 v) (Boos 2011, Eq. (4.37)): the correction gives μ_C + σ2 v_avg.
TEST(Recovery, SlidingWithContensouCorrection) {
  std::vector<FrictionRun> runs = SteadyPulls(0.187, 10.4);
  for (FrictionRun& run : runs) {
    run.mixed = true;
    run.share.setConstant(0.8);
    run.average_speed = run.speed / 0.8;
    run.coefficient = (0.187 * 0.8 + 10.4 * run.speed.array()).matrix();
  }
  const Sliding sliding = FitSliding(runs, {}, "steady");
  ExpectRecovered(sliding.fit->x[0], 0.187);
  ExpectRecovered(sliding.fit->x[1], 10.4);
}

// Sliding gives the viscous friction that the slow pull needs; what is missing says why.
TEST(Recovery, AllOfFriction) {
  FrictionRuns runs;
  runs.steady = SteadyPulls(0.187, 10.4);
  runs.slow = {SlowPull(0.3, 4500.0, 300.0), SlowPull(0.3, 4500.0, 300.0)};
  for (FrictionRun& run : runs.slow) run.coefficient += 10.4 * run.speed;
  runs.slow.push_back(runs.slow[0]);
  runs.slow[1].travel.setZero();
  const FrictionParameters parameters = FitFriction(runs, {}, {}, "friction.csv");
  ExpectRecovered(parameters.found.at("mu_c").value, 0.187);
  ExpectRecovered(parameters.found.at("sigma2").value, 10.4);
  ExpectRecovered(parameters.found.at("mu_s").value, 0.3);
  ExpectRecovered(parameters.found.at("sigma0").value, 4500.0);
  EXPECT_EQ(parameters.slow_runs, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(parameters.open.count("mu_s"), 0u);
  EXPECT_NE(parameters.open.at("tau_dwell").find("no oscillation"), std::string::npos);
  EXPECT_EQ(parameters.Reasons(), parameters.open.at("tau_dwell"));
}

FrictionRun Oscillation(double frequency) {
  const double omega = 2.0 * std::numbers::pi * frequency;
  const VectorXd t = VectorXd::LinSpaced(500, 0.0, 3.0 / frequency);
  return Motion(t, (2e-3 / omega * (1.0 - (omega * t).array().cos())).matrix(),
                (2e-3 * (omega * t).array().sin()).matrix());
}

TEST(Recovery, DwellAndStribeckVelocity) {
  BristleFriction law{.mu_s = 0.3, .mu_c = 0.19, .sigma0 = 4500.0, .sigma1 = 300.0};
  law.v_stribeck = 4e-4;
  law.tau_dwell = 0.3;
  std::vector<FrictionRun> runs = {Oscillation(0.5), Oscillation(2.0)};
  for (FrictionRun& run : runs) run.coefficient = SimulateCoefficient(run, law);
  BristleFriction known = law;
  known.v_stribeck = 1e-3;
  known.tau_dwell = 0.0;
  const LeastSquaresFit fit =
      FitOscillation(runs, known, FixedCovariance::Zero(), {}, "oscillation");
  ExpectRecovered(std::exp(fit.x[0]), 0.3);
  ExpectRecovered(std::exp(fit.x[1]), 4e-4);
}

TEST(Recovery, StictionThatAddsNothingShowsNoDwell) {
  BristleFriction law{.mu_s = 0.19, .mu_c = 0.19, .sigma0 = 4500.0, .sigma1 = 300.0};
  law.tau_dwell = 0.3;
  std::vector<FrictionRun> runs = {Oscillation(0.5)};
  runs[0].coefficient = SimulateCoefficient(runs[0], law);
  ExpectError([&] { FitOscillation(runs, law, FixedCovariance::Zero(), {}, "oscillation"); },
              "log_tau_dwell");
}

TEST(Restitution, IsTheInverseOfDamping) {
  for (const double e : {0.01, 0.05, 0.134, 0.5, 0.9, 0.99, 0.999, 0.99999}) {
    const double damping = DampingAtImpact(RestitutionLaw::kExact, e);
    EXPECT_NEAR(RestitutionOfDamping(damping), e, 1e-12) << e;
    const double step = 1e-6 * damping;
    const double slope =
        (RestitutionOfDamping(damping + step) - RestitutionOfDamping(damping - step)) /
        (2.0 * step);
    EXPECT_NEAR(RestitutionSlope(damping) / slope, 1.0, 1e-4) << e;
  }
  EXPECT_EQ(RestitutionOfDamping(0.0), 1.0);
  // Tends to 1/D.
  for (const double large : {37.9, 38.1, 1e3, 1e17, 1e300}) {
    EXPECT_NEAR(RestitutionOfDamping(large) * large, 1.0, 2e-15) << large;
  }
  EXPECT_NEAR(RestitutionOfDamping(1e-12), 1.0 - 2.0 / 3.0 * 1e-12, 1e-15);
}

// An impact integrated in time with the library's force law.
double Rebound(double speed, double mass, double k, double lambda) {
  const NormalForceModel law(AzadFeatherstoneNormal{k, lambda});
  double z = 0.0, v = speed;
  const double h = 2e-5 * std::pow(mass / (k * std::sqrt(speed)), 0.4);
  const auto rate = [&](double depth, double rise) {
    return -law.Evaluate(std::max(depth, 0.0), -rise, speed).force / mass;
  };
  do {
    const double a = rate(z, v), b = rate(z + 0.5 * h * v, v + 0.5 * h * a);
    z += h * (v + 0.5 * h * a);
    v += h * b;
  } while (z > 0.0);
  return -v / speed;
}

TEST(Restitution, AzadFeatherstoneAgainstIntegrationInTime) {
  for (const auto& [speed, lambda] : {std::pair{0.1, 1e5}, {1.0, 1e5}, {3.0, 5e4}}) {
    const double beta =
        lambda * std::pow(speed, 0.2) * std::pow(1e10, -0.6) * std::pow(0.066, -0.4);
    EXPECT_NEAR(RestitutionAzadFeatherstone(beta), Rebound(speed, 0.066, 1e10, lambda), 1e-6);
  }
  EXPECT_NEAR(RestitutionAzadFeatherstone(0.0), 1.0, 1e-10);
  // Strong damping, where its leading order takes over.
  const double strong = std::pow(1.5, 2.0 / 3.0) * std::pow(1e6, -5.0 / 3.0);
  EXPECT_NEAR(RestitutionAzadFeatherstone(0.999999e6) / strong, 1.0, 1e-5);
  EXPECT_NEAR(RestitutionAzadFeatherstone(1e6) / strong, 1.0, 1e-12);
  EXPECT_GE(RestitutionAzadFeatherstone(1e300), 0.0);
  double before = 1.0;
  for (const double beta : {0.01, 0.1, 0.5, 1.0, 2.0, 4.0}) {
    EXPECT_LT(RestitutionAzadFeatherstone(beta), before);
    before = RestitutionAzadFeatherstone(beta);
  }
}

TEST(Recovery, RestitutionModels) {
  const VectorXd speed = VectorXd::LinSpaced(20, -3.0, 1.5).array().exp();
  for (const auto& [model, truth] : {std::pair{RestitutionModel::kConstant, 0.7},
                                     {RestitutionModel::kHuntCrossley, 0.08},
                                     {RestitutionModel::kAzadFeatherstone, 0.3}}) {
    const VectorXd e = speed.unaryExpr([&](double v) { return Restitution(model, truth, v); });
    const LeastSquaresFit fit = FitRestitution(model, speed, e, {}, "drops");
    ExpectRecovered(fit.x[0], truth);
    EXPECT_EQ(ReasonUndetermined(model, fit.x[0], speed, e), "");
  }
}

TEST(Recovery, RestitutionsThatDetermineNoDamping) {
  const VectorXd speed = VectorXd::LinSpaced(20, 0.1, 2.0);
  for (const auto model : {RestitutionModel::kHuntCrossley, RestitutionModel::kAzadFeatherstone}) {
    for (const double e : {1.0, 1.02}) {
      const VectorXd all = VectorXd::Constant(20, e);
      const double x = FitRestitution(model, speed, all, {}, "drops").x[0];
      EXPECT_NE(ReasonUndetermined(model, x, speed, all).find("no loss of speed"),
                std::string::npos)
          << e << ' ' << x;
    }
    EXPECT_NE(ReasonUndetermined(model, 1.0, speed, VectorXd::Zero(20)), "");
  }
  EXPECT_EQ(ReasonUndetermined(RestitutionModel::kConstant, 1.02, speed, speed), "");
  EXPECT_NE(ReasonUndetermined(RestitutionModel::kConstant, 0.0, speed, VectorXd::Zero(20)), "");
}

}  // namespace
}  // namespace volcontact::identify
