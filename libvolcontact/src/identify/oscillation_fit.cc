// Dwell and Stribeck's velocity from oscillations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "volcontact/identify/friction_fit.h"
#include "volcontact/identify/friction_motion.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Steps of derivatives by known parameters, as a share of these, which do not count as less than
// the second.
constexpr double kFixedStep = 1e-5, kLeastFixed = 1e-3;

BristleFriction WithLogs(BristleFriction law, const VectorXd& x) {
  law.tau_dwell = std::exp(x[0]);
  law.v_stribeck = std::exp(x[1]);
  return law;
}

// The derivative of residuals by a parameter of the law, by its place in kFixedNames.
VectorXd ByKnown(const BristleFriction& law, int which,
                 const std::function<VectorXd(const BristleFriction&)>& residuals) {
  double BristleFriction::*const members[] = {&BristleFriction::mu_s, &BristleFriction::mu_c,
                                              &BristleFriction::sigma0, &BristleFriction::sigma1,
                                              &BristleFriction::sigma2};
  const auto member = members[which];
  BristleFriction above = law, below = law;
  const double step = kFixedStep * std::max(std::abs(law.*member), kLeastFixed);
  above.*member += step;
  below.*member -= step;
  return (residuals(above) - residuals(below)) / (above.*member - below.*member);
}

void RequireTime(const FrictionRun& run) {
  if (run.time.size() < 2) {
    throw InvalidInput(run.place + ": an oscillation needs a column \"time\" and several samples");
  }
  for (Index i = 1; i < run.time.size(); ++i) {
    if (run.time[i] > run.time[i - 1]) continue;
    throw InvalidInput(
        fmt::format("{}: time does not grow at {} s; put the rows in order, or mark the runs",
                    run.place, run.time[i]));
  }
}

}  // namespace

LeastSquaresFit FitOscillation(const std::vector<FrictionRun>& runs, const BristleFriction& known,
                               const FixedCovariance& known_covariance, const FitOptions& options,
                               const std::string& where) {
  Index observations = 0;
  double fastest = 0.0, longest = 0.0;
  for (const FrictionRun& run : runs) {
    RequireTime(run);
    observations += run.speed.size();
    fastest = std::max(fastest, run.speed.cwiseAbs().maxCoeff());
    longest = std::max(longest, run.time[run.time.size() - 1] - run.time[0]);
  }
  const auto residuals_of = [&](const BristleFriction& law) -> VectorXd {
    VectorXd all(observations);
    Index begin = 0;
    for (const FrictionRun& run : runs) {
      all.segment(begin, run.speed.size()) = SimulateCoefficient(run, law) - run.coefficient;
      begin += run.speed.size();
    }
    return all;
  };
  const auto residuals = [&](const VectorXd& x) { return residuals_of(WithLogs(known, x)); };
  VectorXd best(2);
  double least = std::numeric_limits<double>::infinity();
  for (const double tau : {0.001, 0.003, 0.01, 0.03, 0.1, 0.3}) {
    for (const double v : {0.01, 0.03, 0.1, 0.3, 1.0}) {
      const Eigen::Vector2d x(std::log(tau * longest), std::log(v * fastest));
      const double squares = residuals(x).squaredNorm();
      if (squares >= least) continue;
      least = squares;
      best = x;
    }
  }
  LeastSquaresProblem problem;
  problem.names = {"log_tau_dwell", "log_v_stribeck"};
  problem.start = best;
  problem.observations = observations;
  problem.evaluate = WithNumericalJacobian(residuals, Eigen::Vector2d::Constant(1e-5));
  LeastSquaresFit fit = FitLeastSquares(problem, options, where);
  if (known_covariance.isZero(0.0)) return fit;
  MatrixXd by_known(observations, 5);
  for (int k = 0; k < 5; ++k) {
    by_known.col(k) = ByKnown(WithLogs(known, fit.x), k, residuals_of);
  }
  AddFixedErrors(ShiftByFixed(problem, fit.x, by_known), known_covariance, &fit);
  return fit;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
