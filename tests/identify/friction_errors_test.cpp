// What a friction experiment does not show is not given, and errors hold for all parameters
// together.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "identify/experiments.h"
#include "support/samples.h"
#include "volcontact/identify/friction_motion.h"
#include "volcontact/identify/friction_parameters.h"
#include "volcontact/math/error.h"

namespace volcontact::identify::friction_errors_test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

BristleFriction Truth() {
  return {.mu_s = 0.42,
          .mu_c = 0.25,
          .sigma0 = 4500.0,
          .sigma1 = 300.0,
          .sigma2 = 10.0,
          .v_stribeck = 1.5e-3,
          .tau_dwell = 0.05};
}

// A speed over time, at the samples of a run.
FrictionRun Sampled(const VectorXd& time, const std::function<double(double)>& speed) {
  const VectorXd v = time.unaryExpr(speed);
  VectorXd travel = VectorXd::Zero(time.size());
  for (Index i = 1; i < time.size(); ++i) {
    travel[i] = travel[i - 1] + 0.5 * (time[i] - time[i - 1]) * (v[i] + v[i - 1]);
  }
  return Motion(time, travel, v);
}

// The coefficients of the law along a motion, from `fine` samples for each one that is recorded:
// what lies between the samples is known here, and is not to the fit.
FrictionRun Recorded(const BristleFriction& law, double end, int samples, int fine,
                     const std::function<double(double)>& speed) {
  const auto times = [end](Index n) { return VectorXd::LinSpaced(n, 0.0, end); };
  FrictionRun dense = Sampled(times(static_cast<Index>(samples - 1) * fine + 1), speed);
  dense.coefficient = SimulateCoefficient(dense, law);
  FrictionRun run = Sampled(times(samples), speed);
  for (Index i = 0; i < samples; ++i) {
    run.travel[i] = dense.travel[i * fine];
    run.coefficient[i] = dense.coefficient[i * fine];
  }
  return run;
}

FrictionRun Swing(const BristleFriction& law, double frequency, double amplitude, int samples,
                  int periods, int fine) {
  const double omega = 2.0 * std::numbers::pi * frequency;
  return Recorded(law, periods / frequency, samples * periods + 1, fine,
                  [=](double t) { return amplitude * std::sin(omega * t); });
}

// Friction that rises to 0.25 of the 0.42 at which it would break away.
TEST(FrictionErrors, PullsThatNeverBreakAwayGiveNoStaticFriction) {
  const BristleFriction law = Truth();
  const double end = std::sqrt(2.0 * 0.25 / law.sigma0 / 4e-5) * 0.95;
  const FrictionRun clean = Recorded(law, end, 400, 1, [](double t) { return 4e-5 * t; });
  ASSERT_LT(clean.coefficient.maxCoeff(), 0.3);
  for (const double sigma : {0.002, 0.01, 0.03}) {
    Noise noise(7);
    int given = 0;
    for (int draw = 0; draw < 200; ++draw) {
      FrictionRun run = clean;
      run.coefficient += noise.Vector(run.coefficient.size(), sigma);
      try {
        FitBreakAway(run, 0.0, {});
        ++given;
      } catch (const InvalidInput&) {
      }
    }
    std::printf("noise %.3f: static friction given in %d of 200 draws\n", sigma, given);
    EXPECT_LE(given, 2) << sigma;
  }
}

// The same pull over the peak does give it, at all of these noises.
TEST(FrictionErrors, PullsThatBreakAwayGiveIt) {
  FrictionRun clean = SlowPull(0.42, 4500.0, 300.0);
  clean.time.resize(0);
  for (const double sigma : {0.002, 0.01, 0.03}) {
    Noise noise(8);
    for (int draw = 0; draw < 200; ++draw) {
      FrictionRun run = clean;
      run.coefficient += noise.Vector(run.coefficient.size(), sigma);
      EXPECT_NO_THROW(FitBreakAway(run, 0.0, {})) << sigma;
    }
  }
}

// At 200 samples a period; with chords between the samples it was 2e-3 off.
TEST(FrictionErrors, DwellHasNoBiasFromTheSampling) {
  BristleFriction law = Truth();
  const std::vector<FrictionRun> runs = {Swing(law, 0.5, 4e-3, 200, 2, 40),
                                         Swing(law, 2.0, 4e-3, 200, 2, 40)};
  BristleFriction known = law;
  known.tau_dwell = 0.0;
  known.v_stribeck = 1e-3;
  const LeastSquaresFit fit =
      FitOscillation(runs, known, FixedCovariance::Zero(), {}, "oscillation");
  std::printf("relative bias of tau_dwell %.1e, of v_stribeck %.1e\n",
              std::exp(fit.x[0]) / law.tau_dwell - 1.0, std::exp(fit.x[1]) / law.v_stribeck - 1.0);
  EXPECT_NEAR(std::exp(fit.x[0]) / law.tau_dwell, 1.0, 2e-4);
  EXPECT_NEAR(std::exp(fit.x[1]) / law.v_stribeck, 1.0, 2e-4);
}

// Sliding, break-away and oscillations with noise (200 draws by tools/full_samples.py): of every
// parameter the stated error is that of its spread, though each is found from those found before.
TEST(FrictionErrors, ErrorsCountThoseOfWhatWasFoundBefore) {
  const BristleFriction law = Truth();
  FrictionRuns clean;
  clean.steady = SteadyPulls(law.mu_c, law.sigma2, 12);
  clean.slow = {SlowPull(law.mu_s, law.sigma0, law.sigma1)};
  clean.slow[0].coefficient += law.sigma2 * clean.slow[0].speed;
  clean.slow[0].time.resize(0);
  clean.oscillation = {Swing(law, 1.0, 4e-3, 60, 2, 20)};
  const std::map<std::string, double> truth = {{"mu_s", law.mu_s},
                                               {"mu_c", law.mu_c},
                                               {"sigma0", law.sigma0},
                                               {"sigma1", law.sigma1},
                                               {"sigma2", law.sigma2},
                                               {"tau_dwell", law.tau_dwell},
                                               {"v_stribeck", law.v_stribeck}};
  const int draws = testing::Samples(60, 200);
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, double> squares, worst;
  Noise noise(9);
  for (int draw = 0; draw < draws; ++draw) {
    FrictionRuns runs = clean;
    for (auto* list : {&runs.steady, &runs.slow, &runs.oscillation}) {
      for (FrictionRun& run : *list) run.coefficient += noise.Vector(run.coefficient.size(), 0.005);
    }
    const FrictionParameters found = FitFriction(runs, {}, {}, "draw");
    for (const auto& [name, estimate] : found.found) {
      values[name].push_back(estimate.value);
      squares[name] += estimate.standard_error * estimate.standard_error;
      worst[name] = std::max(worst[name],
                             std::abs(estimate.value - truth.at(name)) / estimate.standard_error);
    }
  }
  for (const auto& [name, value] : truth) {
    const auto& list = values[name];
    ASSERT_EQ(list.size(), static_cast<std::size_t>(draws)) << name;
    const Eigen::Map<const VectorXd> all(list.data(), draws);
    const double spread = std::sqrt((all.array() - all.mean()).square().sum() / (draws - 1.0));
    const double stated = std::sqrt(squares[name] / draws);
    std::printf("%-12s stated/spread %.3f, worst %.2f, bias %.2f spreads\n", name.c_str(),
                stated / spread, worst[name], (all.mean() - value) / spread);
    EXPECT_NEAR(stated / spread, 1.0, 0.2) << name;
    EXPECT_LT(worst[name], 4.5) << name;
  }
}

}  // namespace
}  // namespace volcontact::identify::friction_errors_test
