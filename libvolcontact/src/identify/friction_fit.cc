#include "volcontact/identify/friction_fit.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "volcontact/identify/friction_motion.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows tried for the guess of a break-away.
constexpr Index kCandidates = 100;
// Parameters of the bristles are not taken below this.
constexpr double kTiny = 1e-12;
// A falling slow pull must be this much better by AIC, and its v_stribeck known to this share.
constexpr double kClear = 10.0, kFallWellKnown = 0.3;
// A break must fit better than a line from rest by this in n log Σr², far beyond what the choice of
// its place gains from noise, and friction must rise behind it by less than this share of its mean
// slope before, by this many errors.
constexpr double kClearBreak = 20.0, kLevelSlope = 0.5, kLevelErrors = 3.0;
// Steps of numerical derivatives by known parameters, as a share of these.
constexpr double kKnownStep = 1e-5;
// Speeds that differ by less than this share of the greatest are one.
constexpr double kSteadySpread = 0.05;
// A steady row counts if the speed has at least this share of v_avg.
constexpr double kLeastShare = 0.2;

// A slow run with its motion counted positive.
struct SlowRun {
  VectorXd travel, speed, share, coefficient;

  Index size() const { return travel.size(); }
  SlowRun First(Index n) const {
    return {travel.head(n), speed.head(n), share.head(n), coefficient.head(n)};
  }
};

SlowRun SlowRunOf(const FrictionRun& run, double sigma2) {
  if (run.travel.size() == 0) {
    throw InvalidInput(
        fmt::format("{}: the travel is not known; a slow run needs a column \"{}\", or "
                    "\"time\" that grows",
                    run.place, run.rotational ? "angle" : "position"));
  }
  const double end = run.travel[run.travel.size() - 1];
  if (end == 0.0) {
    throw InvalidInput(run.place + ": the body does not move; a slow run ends in sliding");
  }
  const double sign = end < 0.0 ? -1.0 : 1.0;
  return {sign * run.travel, sign * run.speed, run.share,
          sign * (run.coefficient - sigma2 * run.speed)};
}

struct BreakGuess {
  Index row = 0;
  double sigma0 = 0.0, mu_s = 0.0;
};

// A straight line from rest up to a row and a constant from there to twice its travel: the row for
// which they fit best, by the mean square over the rows used.
BreakGuess GuessBreak(const SlowRun& run) {
  const Index n = run.size(), step = std::max<Index>(1, n / kCandidates);
  BreakGuess best;
  double least = std::numeric_limits<double>::infinity();
  for (Index row = std::max<Index>(step, 2); row < n; row += step) {
    Index end = row;
    while (end < n && run.travel[end] <= 2.0 * run.travel[row]) ++end;
    const auto d = run.travel.head(row), mu = run.coefficient.head(row);
    const auto flat = run.coefficient.segment(row, end - row);
    if (end - row < 2 || !(d.squaredNorm() > 0.0)) continue;
    const double slope = d.dot(mu) / d.squaredNorm(), level = flat.mean();
    // What lies behind belongs to sliding, which keeps to the level roughly.
    const double squares = (slope * d - mu).squaredNorm() + (flat.array() - level).square().sum() +
                           (run.coefficient.tail(n - end).array() - level).square().sum();
    if (slope > 0.0 && level > 0.0 && squares < least) {
      least = squares;
      best = {row, slope, level};
    }
  }
  return best;
}

// x = σ0, σ1, μ_S.
LeastSquaresProblem PlateauProblem(const SlowRun& run, const BreakGuess& guess) {
  LeastSquaresProblem problem;
  problem.names = {"sigma0", "sigma1", "mu_s"};
  problem.start = Eigen::Vector3d(guess.sigma0, 0.0, guess.mu_s);
  problem.observations = run.size();
  problem.evaluate = [&run](const VectorXd& x, VectorXd* residuals, MatrixXd* jacobian) {
    for (Index i = 0; i < run.size(); ++i) {
      const double stick = x[0] * run.travel[i] + x[1] * run.speed[i], limit = x[2] * run.share[i];
      const bool sticks = stick < limit;
      (*residuals)[i] = (sticks ? stick : limit) - run.coefficient[i];
      if (jacobian == nullptr) continue;
      (*jacobian)(i, 0) = sticks ? run.travel[i] : 0.0;
      (*jacobian)(i, 1) = sticks ? run.speed[i] : 0.0;
      (*jacobian)(i, 2) = sticks ? 0.0 : run.share[i];
    }
  };
  return problem;
}

Index RowsSliding(const SlowRun& run, const VectorXd& x) {
  return (x[0] * run.travel.array() + x[1] * run.speed.array() > x[2] * run.share.array()).count();
}

// Σr² of the best line σ0 d + σ1 v.
double SquaresOfLine(const SlowRun& run) {
  MatrixXd A(run.size(), 2);
  A << run.travel, run.speed;
  return (A * A.colPivHouseholderQr().solve(run.coefficient) - run.coefficient).squaredNorm();
}

// Whether friction is level behind the row, rather than to go on rising at a lesser slope.
bool IsLevel(const SlowRun& run, Index row, double mean_slope) {
  const Index n = run.size() - row;
  if (n < 3) return false;
  const auto mu = run.coefficient.tail(n);
  const VectorXd d = run.travel.tail(n).array() - run.travel.tail(n).mean();
  const double moment = d.squaredNorm();
  if (!(moment > 0.0)) return false;
  const double slope = d.dot(mu) / moment;
  const double squares = (mu.array() - mu.mean() - slope * d.array()).square().sum();
  const double error =
      std::sqrt(squares / (static_cast<double>(std::max<Index>(1, n - 2)) * moment));
  return slope + kLevelErrors * error < kLevelSlope * mean_slope;
}

// Whether a run up to some way behind its break shows one.
bool Breaks(const SlowRun& run, const LeastSquaresFit& plateau) {
  const VectorXd& x = plateau.x;
  const auto sticks =
      x[0] * run.travel.array() + x[1] * run.speed.array() <= x[2] * run.share.array();
  Index row = 0;
  while (row < run.size() && sticks[row]) ++row;
  if (row == 0 || row >= run.size()) return false;
  const double n = static_cast<double>(run.size());
  // Rounding hides differences below this.
  const double floor = n * std::pow(1e-12 * run.coefficient.cwiseAbs().maxCoeff(), 2);
  const double line = std::max(SquaresOfLine(run), floor);
  const double broken = std::max(plateau.residuals.squaredNorm(), floor);
  return n * std::log(line / broken) > kClearBreak && IsLevel(run, row, x[2] / run.travel[row]);
}

BristleFriction LawOf(const VectorXd& x, double sigma2) {
  // The sense of these has no meaning; the solver may try both.
  return {.mu_s = x[2],
          .mu_c = x[3],
          .sigma0 = std::max(kTiny, std::abs(x[0])),
          .sigma1 = std::max(kTiny, std::abs(x[1])),
          .sigma2 = sigma2,
          .v_stribeck = std::max(kTiny, std::abs(x[4]))};
}

VectorXd FallingResiduals(const FrictionRun& run, const VectorXd& x, double sigma2) {
  return SimulateCoefficient(run, LawOf(x, sigma2)) - run.coefficient;
}

LeastSquaresProblem FallingProblem(const FrictionRun& run, const VectorXd& start, double sigma2) {
  LeastSquaresProblem problem;
  problem.names = {"sigma0", "sigma1", "mu_s", "mu_c", "v_stribeck"};
  problem.start = start;
  problem.observations = run.coefficient.size();
  problem.evaluate = WithNumericalJacobian(
      [&run, sigma2](const VectorXd& x) { return FallingResiduals(run, x, sigma2); },
      kKnownStep * start.cwiseAbs());
  return problem;
}

VectorXd FallingBySigma2(const FrictionRun& run, const VectorXd& x, double sigma2) {
  // Viscous friction is σ2 v, whatever the bristles do.
  return ShiftByFixed(FallingProblem(run, x, sigma2), x, run.speed);
}

// The bristle model over the whole run: x = σ0, σ1, μ_S, μ_C, v_S.
std::optional<LeastSquaresFit> FitFalling(const FrictionRun& run, const LeastSquaresFit& plateau,
                                          double sigma2, const FitOptions& options) {
  if (run.time.size() == 0) return std::nullopt;
  const double sign = run.travel[run.travel.size() - 1] < 0.0 ? -1.0 : 1.0;
  const Index tail = std::max<Index>(2, run.coefficient.size() / 5);
  const double fastest = run.speed.cwiseAbs().maxCoeff();
  VectorXd start(5);
  start << plateau.x, sign * run.coefficient.tail(tail).mean(), fastest;
  start[1] = std::max(start[1], 1e-3 * start[0]);
  VectorXd best = start;
  double least = std::numeric_limits<double>::infinity();
  for (const double share : {0.02, 0.05, 0.1, 0.2, 0.5, 1.0}) {
    start[4] = share * fastest;
    const double squares = FallingResiduals(run, start, sigma2).squaredNorm();
    if (squares < least) {
      least = squares;
      best = start;
    }
  }
  try {
    return FitLeastSquares(FallingProblem(run, best, sigma2), options, run.place);
  } catch (const InvalidInput&) {
    return std::nullopt;  // the run does not show these parameters
  }
}

// Whether the run speaks clearly for friction that falls after break-away.
bool Falls(const LeastSquaresFit& falling, const LeastSquaresFit& plateau) {
  const VectorXd& x = falling.x;
  return falling.converged && falling.aic < plateau.aic - kClear && x[0] > 0.0 && x[1] > 0.0 &&
         x[3] > 0.0 && x[2] > x[3] && falling.StandardError(4) < kFallWellKnown * std::abs(x[4]);
}

}  // namespace

BreakAway FitBreakAway(const FrictionRun& run, double sigma2, const FitOptions& options) {
  const SlowRun slow = SlowRunOf(run, sigma2);
  const BreakGuess guess = GuessBreak(slow);
  const auto never = [&] {
    return InvalidInput(run.place +
                        ": friction never breaks away: it does not clearly rise from rest to a "
                        "level; "
                        "record from rest until the body slides");
  };
  if (guess.row == 0) throw never();
  Index end = guess.row;
  while (end < slow.size() && slow.travel[end] <= 2.0 * slow.travel[guess.row]) ++end;
  const SlowRun near = slow.First(end);
  BreakAway result;
  result.label = run.label;
  result.fit = FitLeastSquares(PlateauProblem(near, guess), options, run.place);
  if (RowsSliding(near, result.fit.x) < 3 || !Breaks(near, result.fit)) throw never();
  result.by_sigma2 = ShiftByFixed(PlateauProblem(near, guess), result.fit.x, near.speed);
  FitOptions plain = options;
  plain.bootstrap = 0;
  const LeastSquaresFit all = FitLeastSquares(PlateauProblem(slow, guess), plain, run.place);
  const auto falling = FitFalling(run, result.fit, sigma2, plain);
  if (falling && Falls(*falling, all)) {
    result.falls = true;
    result.fit = options.bootstrap > 0 ? *FitFalling(run, result.fit, sigma2, options) : *falling;
    result.by_sigma2 = FallingBySigma2(run, result.fit.x, sigma2);
  }
  const VectorXd& x = result.fit.x;
  Index peak = 0;
  while (peak + 1 < slow.size() && x[0] * slow.travel[peak] + x[1] * slow.speed[peak] < x[2])
    ++peak;
  result.travel_at_peak = slow.travel[peak];
  return result;
}

VectorXd BreakAwayCoefficient(const FrictionRun& run, const BreakAway& break_away, double sigma2) {
  const VectorXd& x = break_away.fit.x;
  if (break_away.falls) return SimulateCoefficient(run, LawOf(x, sigma2));
  const double sign = run.travel[run.travel.size() - 1] < 0.0 ? -1.0 : 1.0;
  return sign * (sign * (x[0] * run.travel + x[1] * run.speed)).cwiseMin(x[2] * run.share) +
         sigma2 * run.speed;
}

std::string Sliding::LeftOut() const {
  std::string text;
  if (other_motion > 0) {
    text = fmt::format(
        "{} of {} rows of steady runs are left out, because the speed of the measured friction is "
        "less than {} of v_avg; make the other motion slower",
        other_motion, rows, kLeastShare);
  }
  if (at_rest > 0) {
    text += fmt::format("{}{} of {} rows of steady runs are left out, because the body is at rest",
                        text.empty() ? "" : "; ", at_rest, rows);
  }
  return text;
}

Sliding FitSliding(const std::vector<FrictionRun>& runs, const FitOptions& options,
                   const std::string& where) {
  std::vector<double> speeds, coefficients;
  Sliding sliding;
  for (const FrictionRun& run : runs) {
    double speed = 0.0, coefficient = 0.0, count = 0.0;
    for (Index i = 0; i < run.speed.size(); ++i) {
      ++sliding.rows;
      if (run.speed[i] == 0.0) {
        ++sliding.at_rest;
        continue;
      }
      // Where the other motion leads, the correction would magnify noise.
      if (run.share[i] < kLeastShare) {
        ++sliding.other_motion;
        continue;
      }
      speed += run.average_speed[i];
      coefficient +=
          std::copysign(run.coefficient[i], run.coefficient[i] * run.speed[i]) / run.share[i];
      ++count;
    }
    if (count == 0.0) continue;
    speeds.push_back(speed / count);
    coefficients.push_back(coefficient / count);
  }
  const Index n = static_cast<Index>(speeds.size());
  sliding.speed = Eigen::Map<VectorXd>(speeds.data(), n);
  sliding.coefficient = Eigen::Map<VectorXd>(coefficients.data(), n);
  const std::string left_out = sliding.LeftOut();
  if (n == 0) {
    sliding.reason = left_out.empty()
                         ? "there is no run at constant speed in the data (experiment steady)"
                         : "no row of a steady run can be used: " + left_out;
    return sliding;
  }
  const double high = sliding.speed.maxCoeff();
  if (high - sliding.speed.minCoeff() < kSteadySpread * high) {
    sliding.reason = fmt::format(
        "all steady runs are at about {:.4g} m/s; the intercept and the slope over speed need runs "
        "at other speeds{}",
        high, left_out.empty() ? "" : "; " + left_out);
    return sliding;
  }
  LeastSquaresProblem line;
  line.names = {"mu_c", "sigma2"};
  line.start = Eigen::Vector2d(sliding.coefficient.mean(), 0.0);
  line.observations = n;
  line.evaluate = [&](const VectorXd& x, VectorXd* residuals, MatrixXd* jacobian) {
    *residuals = (x[0] + x[1] * sliding.speed.array() - sliding.coefficient.array()).matrix();
    if (jacobian == nullptr) return;
    jacobian->col(0).setOnes();
    jacobian->col(1) = sliding.speed;
  };
  sliding.fit = FitLeastSquares(line, options, where);
  const double total = (sliding.coefficient.array() - sliding.coefficient.mean()).square().sum();
  sliding.r_squared = total > 0.0 ? 1.0 - sliding.fit->residuals.squaredNorm() / total : 1.0;
  return sliding;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
