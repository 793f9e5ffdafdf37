#include "volcontact/identify/least_squares.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <unsupported/Eigen/LevenbergMarquardt>

#include "volcontact/identify/statistics.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Huber's constant: 95 % efficient where the noise is normal after all.
constexpr double kHuberConstant = 1.345;
constexpr double kMadToSigma = 1.482602218505602;  // of a normal distribution
// Bound of the singular values of a Jacobian with columns of length one: only directions decide
// whether the data separate the parameters.
constexpr double kRankTolerance = 1e-9;
constexpr int kMaxReweightings = 100;
constexpr double kWideQuantile = 1.959963984540054;  // 97.5 %

// The problem with a weight on each squared residual, in parameters x = scale u, as Eigen's solver
// wants it.
struct Functor : Eigen::DenseFunctor<double> {
  Functor(const LeastSquaresProblem& p, const VectorXd& weights, const VectorXd& parameter_scale)
      : DenseFunctor(static_cast<int>(p.start.size()), static_cast<int>(p.observations)),
        problem(&p),
        root(weights.cwiseSqrt()),
        scale(parameter_scale) {}

  int operator()(const VectorXd& u, VectorXd& residuals) const {
    problem->evaluate(scale.cwiseProduct(u), &residuals, nullptr);
    residuals.array() *= root.array();
    return residuals.allFinite() ? 0 : -1;
  }
  int df(const VectorXd& u, MatrixXd& jacobian) const {
    VectorXd residuals(problem->observations);
    jacobian.setZero();
    problem->evaluate(scale.cwiseProduct(u), &residuals, &jacobian);
    jacobian.array().colwise() *= root.array();
    jacobian.array().rowwise() *= scale.transpose().array();
    return jacobian.allFinite() ? 0 : -1;
  }

  const LeastSquaresProblem* problem;
  VectorXd root, scale;
};

// Steps that give all columns of the Jacobian the length 1: the solver takes columns whose lengths
// differ by 1e16, as those of a stiffness in N/m^3 and a position in m do, for dependent.
VectorXd ParameterScale(const LeastSquaresProblem& problem, const VectorXd& weights,
                        const VectorXd& x) {
  const Functor plain(problem, weights, VectorXd::Ones(x.size()));
  MatrixXd jacobian(problem.observations, x.size());
  plain.df(x, jacobian);
  return jacobian.colwise().norm().transpose().unaryExpr(
      [](double length) { return length > 0.0 && std::isfinite(length) ? 1.0 / length : 1.0; });
}

// Moves x to the minimum; true when it was reached.
bool MinimiseScaled(const LeastSquaresProblem& problem, const VectorXd& weights, VectorXd* x) {
  using Eigen::LevenbergMarquardtSpace::Status;
  Functor functor(problem, weights, ParameterScale(problem, weights, *x));
  Eigen::LevenbergMarquardt<Functor> solver(functor);
  // Until rounding stops it: without noise the answer is exact to 1e-9 and better.
  solver.setFtol(4.0 * kEpsilon);
  solver.setXtol(4.0 * kEpsilon);
  solver.setGtol(0.0);
  solver.setMaxfev(400);
  VectorXd u = x->cwiseQuotient(functor.scale);
  const Status status = solver.minimize(u);
  if (!u.allFinite()) return false;
  *x = functor.scale.cwiseProduct(u);
  return status != Status::UserAsked && status != Status::ImproperInputParameters &&
         status != Status::TooManyFunctionEvaluation;
}

// Twice, as the scale of the parameters at the start may differ much from that at the minimum.
bool Minimise(const LeastSquaresProblem& problem, const VectorXd& weights, VectorXd* x) {
  MinimiseScaled(problem, weights, x);
  return MinimiseScaled(problem, weights, x);
}

struct Linearised {
  VectorXd residuals;
  MatrixXd jacobian;
};

Linearised Linearise(const LeastSquaresProblem& problem, const VectorXd& x) {
  Linearised at{VectorXd(problem.observations),
                MatrixXd::Zero(problem.observations, problem.start.size())};
  problem.evaluate(x, &at.residuals, &at.jacobian);
  return at;
}

// (JᵀJ)⁻¹ of weighted rows, or the parameters that the rows leave undetermined.
struct Inverse {
  MatrixXd matrix;
  std::vector<std::string> undetermined;
};

Inverse InvertNormal(const LeastSquaresProblem& problem, const MatrixXd& jacobian,
                     const VectorXd& weights) {
  const MatrixXd weighted = weights.cwiseSqrt().asDiagonal() * jacobian;
  const VectorXd lengths = weighted.colwise().norm();
  Inverse inverse;
  for (Index i = 0; i < lengths.size(); ++i) {
    if (!(lengths[i] > 0.0)) {
      inverse.undetermined.push_back(problem.names[static_cast<std::size_t>(i)]);
    }
  }
  if (!inverse.undetermined.empty()) return inverse;
  const MatrixXd scaled = weighted * lengths.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeThinV);
  const VectorXd& values = svd.singularValues();
  const Index last = values.size() - 1;
  if (values[last] < kRankTolerance * values[0]) {
    for (Index i = 0; i <= last; ++i) {
      if (std::abs(svd.matrixV()(i, last)) > 0.1) {
        inverse.undetermined.push_back(problem.names[static_cast<std::size_t>(i)]);
      }
    }
    return inverse;
  }
  const MatrixXd half =
      lengths.cwiseInverse().asDiagonal() * svd.matrixV() * values.cwiseInverse().asDiagonal();
  inverse.matrix = half * half.transpose();
  return inverse;
}

double RobustScale(const VectorXd& residuals) {
  std::vector<double> sizes(residuals.data(), residuals.data() + residuals.size());
  for (double& size : sizes) size = std::abs(size);
  return kMadToSigma * Median(std::move(sizes));
}

VectorXd HuberWeights(const VectorXd& residuals, double scale) {
  const double limit = kHuberConstant * scale;
  return residuals.unaryExpr([limit](double r) { return std::min(1.0, limit / std::abs(r)); });
}

struct Minimum {
  VectorXd x;
  bool converged = false;
  double huber_scale = 0.0;  // 0: all weights are one
};

// The least squares under the weights of the observations; with Huber's loss repeated until its own
// weights settle.
Minimum FindMinimum(const LeastSquaresProblem& problem, const VectorXd& weights,
                    const VectorXd& start, Loss loss) {
  Minimum minimum{start};
  minimum.converged = Minimise(problem, weights, &minimum.x);
  if (loss == Loss::kSquared) return minimum;
  VectorXd residuals(problem.observations);
  for (int i = 0; i < kMaxReweightings && minimum.converged; ++i) {
    problem.evaluate(minimum.x, &residuals, nullptr);
    const double scale = RobustScale(residuals);
    if (scale <= 1e2 * kEpsilon * problem.magnitude) return minimum;  // no noise, no outliers
    const double before = minimum.huber_scale;
    minimum.huber_scale = scale;
    if (std::abs(scale - before) < 1e-10 * scale) return minimum;
    const VectorXd robust = weights.cwiseProduct(HuberWeights(residuals, scale));
    minimum.converged = Minimise(problem, robust, &minimum.x);
  }
  return minimum;
}

// Factor on (JᵀJ)⁻¹ for the covariance of Huber's estimator (Huber 1981, Section 7.6).
double HuberVariance(const VectorXd& residuals, double scale, Index parameters) {
  const double n = static_cast<double>(residuals.size()), p = static_cast<double>(parameters);
  const double limit = kHuberConstant * scale;
  const double squares = residuals.cwiseAbs().cwiseMin(limit).squaredNorm();
  const double inside = static_cast<double>((residuals.array().abs() <= limit).count()) / n;
  const double correction = 1.0 + p / n * (1.0 - inside) / inside;
  return correction * correction * squares / ((n - p) * inside * inside);
}

// Numbers below n without the standard library's distributions, which differ between platforms.
VectorXd Resample(Index n, std::mt19937_64* random) {
  VectorXd counts = VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    ++counts[static_cast<Index>((*random)() % static_cast<std::uint64_t>(n))];
  }
  return counts;
}

double Quantile(const std::vector<double>& sorted, double fraction) {
  const double at = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

BootstrapEstimate Summarise(std::vector<double> values) {
  const Eigen::Map<const VectorXd> all(values.data(), static_cast<Index>(values.size()));
  const double n = static_cast<double>(values.size());
  const double variance = (all.array() - all.mean()).square().sum() / (n - 1.0);
  std::sort(values.begin(), values.end());
  return {std::sqrt(variance), Quantile(values, 0.025), Quantile(values, 0.975)};
}

void AddBootstrap(const LeastSquaresProblem& problem, const FitOptions& options,
                  LeastSquaresFit* fit) {
  std::mt19937_64 random(20110519);
  std::vector<std::vector<double>> values(fit->names.size());
  for (int i = 0; i < options.bootstrap; ++i) {
    const VectorXd counts = Resample(problem.observations, &random);
    const Minimum minimum = FindMinimum(problem, counts, fit->x, options.loss);
    if (!minimum.converged) {
      ++fit->bootstrap_failures;
      continue;
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k].push_back(minimum.x[static_cast<Index>(k)]);
    }
  }
  if (values[0].size() < 2) return;
  for (const auto& each : values) fit->bootstrap.push_back(Summarise(each));
}

void RequireEnough(const LeastSquaresProblem& problem, const std::string& where) {
  if (problem.observations >= problem.start.size()) return;
  throw InvalidInput(fmt::format("{}: {} parameters cannot be found from {} measurements; add more",
                                 where, problem.start.size(), problem.observations));
}

[[noreturn]] void ThrowUndetermined(const std::vector<std::string>& names,
                                    const std::string& where) {
  throw InvalidInput(fmt::format(
      "{}: the data do not determine {}{}; measure over a wider range, or fix what is known", where,
      fmt::join(names, " and "), names.size() > 1 ? " apart from each other" : ""));
}

}  // namespace

double LeastSquaresFit::Rms() const {
  return std::sqrt(residuals.squaredNorm() / static_cast<double>(residuals.size()));
}

double LeastSquaresFit::StandardError(Index i) const {
  if (degrees_of_freedom < 1) return std::numeric_limits<double>::infinity();
  return std::sqrt(covariance(i, i));
}

double LeastSquaresFit::HalfWidth(Index i) const {
  if (degrees_of_freedom < 1) return std::numeric_limits<double>::infinity();
  const boost::math::students_t distribution(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(distribution, 0.975) * StandardError(i);
}

Estimate LeastSquaresFit::EstimateOf(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::out_of_range("the fit has no parameter " + name);
  const Index i = found - names.begin();
  Estimate estimate{x[i], StandardError(i), HalfWidth(i), std::nullopt};
  if (!bootstrap.empty()) estimate.bootstrap = bootstrap[static_cast<std::size_t>(i)];
  return estimate;
}

MatrixXd LeastSquaresFit::Correlations() const {
  const VectorXd errors = covariance.diagonal().cwiseSqrt();
  MatrixXd result = MatrixXd::Identity(x.size(), x.size());
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < x.size(); ++j) {
      const double product = errors[i] * errors[j];
      if (i != j && product > 0.0) result(i, j) = covariance(i, j) / product;
    }
  }
  return result;
}

LeastSquaresProblem::Evaluate WithNumericalJacobian(ResidualFunction residuals, VectorXd steps) {
  return [residuals = std::move(residuals), steps = std::move(steps)](
             const VectorXd& x, VectorXd* values, MatrixXd* jacobian) {
    *values = residuals(x);
    if (jacobian == nullptr) return;
    for (Index i = 0; i < x.size(); ++i) {
      VectorXd above = x, below = x;
      above[i] += steps[i];
      below[i] -= steps[i];
      jacobian->col(i) = (residuals(above) - residuals(below)) / (above[i] - below[i]);
    }
  };
}

MatrixXd ShiftByFixed(const LeastSquaresProblem& problem, const VectorXd& x,
                      const MatrixXd& by_fixed) {
  const MatrixXd jacobian = Linearise(problem, x).jacobian;
  const Inverse inverse = InvertNormal(problem, jacobian, VectorXd::Ones(problem.observations));
  if (!inverse.undetermined.empty()) return MatrixXd::Zero(x.size(), by_fixed.cols());
  return -inverse.matrix * (jacobian.transpose() * by_fixed);
}

void AddFixedErrors(const MatrixXd& shift, const MatrixXd& covariance, LeastSquaresFit* fit) {
  const MatrixXd added = shift * covariance * shift.transpose();
  fit->covariance += added;
  for (std::size_t k = 0; k < fit->bootstrap.size(); ++k) {
    const Index i = static_cast<Index>(k);
    BootstrapEstimate& estimate = fit->bootstrap[k];
    const double error = std::sqrt(added(i, i)), half_width = kWideQuantile * error;
    estimate.standard_error = std::hypot(estimate.standard_error, error);
    estimate.low = fit->x[i] - std::hypot(fit->x[i] - estimate.low, half_width);
    estimate.high = fit->x[i] + std::hypot(estimate.high - fit->x[i], half_width);
  }
}

LeastSquaresFit FitLeastSquares(const LeastSquaresProblem& problem, const FitOptions& options,
                                const std::string& where) {
  RequireEnough(problem, where);
  const VectorXd ones = VectorXd::Ones(problem.observations);
  const Minimum minimum = FindMinimum(problem, ones, problem.start, options.loss);
  Linearised at = Linearise(problem, minimum.x);
  LeastSquaresFit fit;
  fit.names = problem.names;
  fit.x = minimum.x;
  fit.residuals = std::move(at.residuals);
  fit.converged = minimum.converged;
  const Index n = problem.observations, p = problem.start.size();
  fit.degrees_of_freedom = n - p;
  if (!fit.residuals.allFinite() || !at.jacobian.allFinite()) {
    throw InvalidInput(where + ": the fit has left the range of numbers; check units and columns");
  }
  const Inverse inverse = InvertNormal(problem, at.jacobian, ones);
  if (!inverse.undetermined.empty()) ThrowUndetermined(inverse.undetermined, where);
  const double squares = fit.residuals.squaredNorm();
  double variance = n > p ? squares / static_cast<double>(n - p) : 0.0;
  fit.scale = std::sqrt(variance);
  if (minimum.huber_scale > 0.0 && n > p) {
    fit.scale = minimum.huber_scale;
    variance = HuberVariance(fit.residuals, fit.scale, p);
  }
  fit.covariance = variance * inverse.matrix;
  // Rounding hides differences below this.
  const double floor = kEpsilon * problem.magnitude;
  fit.aic =
      static_cast<double>(n) * std::log(std::max(squares / static_cast<double>(n), floor * floor)) +
      2.0 * static_cast<double>(p + 1);
  if (options.bootstrap > 0) AddBootstrap(problem, options, &fit);
  return fit;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
