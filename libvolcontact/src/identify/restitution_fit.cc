#include "volcontact/identify/restitution_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The step of β for the derivative of the restitution by central differences.
constexpr double kSlopeStep = 1e-4;
// A restitution so little above 1 may be noise; more is a mistake.
constexpr double kMostNoise = 0.1;
// From here on the restitution e of a damping D is 1/D, to rounding: 1 − eD is (1 + D) exp(−1 − D).
constexpr double kDampingOfPole = 38.0;

// Rounding of measured and fitted restitutions.
constexpr double kRestitutionRounding = 1e-9;

// An impact takes about 3 along σ, in some 50 steps.
constexpr double kFirstStep = 0.01;
// The error of each step, relative and absolute.
constexpr double kStepError = 1e-13;
// From here on the leading order of strong damping holds to 3e-9 of itself.
constexpr double kStrongDamping = 1e6;

// The root of a function that changes its sign, to a few roundings (Alefeld, Potra & Shi 1995).
template <class Function>
double RootOf(const Function& function, double low, double high) {
  std::uintmax_t steps = 200;
  const auto [below, above] = boost::math::tools::toms748_solve(
      function, low, high, boost::math::tools::eps_tolerance<double>(), steps);
  return 0.5 * (below + above);
}

// (log(1 + x) − x + x²/2)/x³, whose terms cancel for small x.
double LogRemainder(double x) {
  if (std::abs(x) > 0.25) return (std::log1p(x) - x + 0.5 * x * x) / (x * x * x);
  double sum = 0.0, power = 1.0;
  for (int n = 3; n < 30; ++n) {
    sum += power / n;
    power *= -x;
  }
  return sum;
}

// y = √(depth) and the speed u, along σ with dσ = dt/(2y): the equation of motion made polynomial,
// dy/dσ = u, du/dσ = −2 y⁴ − 2 β y² u, in units in which m = k = |v| = 1. A vector, as steppers
// copy their scratch states before they fill them.
using ImpactState = std::vector<double>;

// Positive while the bodies touch: they part where the force y² + β u would turn to tension.
double TouchOf(const ImpactState& state, double beta) {
  return state[0] - std::sqrt(beta * std::max(0.0, -state[1]));
}

// The derivative of a model by its parameter.
double Slope(RestitutionModel model, double x, double speed) {
  switch (model) {
    case RestitutionModel::kConstant:
      return 1.0;
    case RestitutionModel::kHuntCrossley:
      return 1.5 * speed * RestitutionSlope(std::max(0.0, 1.5 * speed * x));
    default: {
      const double factor = std::pow(speed, 0.2), beta = std::max(kSlopeStep, factor * x);
      return factor *
             (RestitutionAzadFeatherstone(beta + kSlopeStep) -
              RestitutionAzadFeatherstone(beta - kSlopeStep)) /
             (2.0 * kSlopeStep);
    }
  }
}

// A start below the answer's scale: e of the mean by the small-damping limit of each model.
double StartOf(RestitutionModel model, const VectorXd& speed, const VectorXd& restitution) {
  const double e = restitution.mean(), loss = std::max(1e-3, 1.0 - e);
  if (model == RestitutionModel::kConstant) return e;
  if (model == RestitutionModel::kHuntCrossley) return loss / speed.mean();
  return loss / std::pow(speed.mean(), 0.2);
}

}  // namespace

Rebounds ReadRebounds(const MeasurementSource& source, std::vector<std::string>* notes) {
  using Kind = ColumnSpec::Kind;
  const Measurements data =
      ReadMeasurements(source, {{"impact_speed", Quantity::kSpeed, Kind::kRequired, {"speed", "v"}},
                                {"restitution", Quantity::kRatio, Kind::kOptional, {"e"}},
                                {"rebound_speed", Quantity::kSpeed, Kind::kOptional, {}}});
  notes->insert(notes->end(), data.notes.begin(), data.notes.end());
  if (!data.Has("restitution") && !data.Has("rebound_speed")) {
    throw InvalidInput(
        data.file + ": there is neither a column \"restitution\" nor \"rebound_speed\"; give one");
  }
  Rebounds rebounds = {data["impact_speed"].cwiseAbs(), {}};
  for (Eigen::Index i = 0; i < data.size(); ++i) {
    if (!(rebounds.speed[i] > 0.0)) {
      throw InvalidInput(data.Message(i, "the speed of impact is 0; give a speed above 0"));
    }
  }
  rebounds.restitution =
      data.Has("restitution")
          ? data["restitution"]
          : data["rebound_speed"].cwiseAbs().cwiseQuotient(rebounds.speed).eval();
  for (Eigen::Index i = 0; i < data.size(); ++i) {
    const double e = rebounds.restitution[i];
    if (e >= 0.0 && e <= 1.0 + kMostNoise) continue;
    throw InvalidInput(data.Message(
        i,
        fmt::format("the restitution is {}; it must lie between 0 and 1: check the columns", e)));
  }
  return rebounds;
}

double RestitutionOfDamping(double damping_at_impact) {
  const double D = damping_at_impact;
  if (!(D > 0.0)) return 1.0;
  if (D > kDampingOfPole) return 1.0 / D;
  // (1 + D)/(1 − eD) = exp(D (1 + e)) without its root at e = −1 and divided by D².
  const auto residual = [D](double e) {
    return 0.5 * (e * e - 1.0) + D * (LogRemainder(D) + e * e * e * LogRemainder(-e * D));
  };
  // Short of the pole at eD = 1 by less than the root is.
  const double most = std::min(1.0, (1.0 - std::numeric_limits<double>::epsilon()) / D);
  return RootOf(residual, 0.0, most);
}

double RestitutionSlope(double damping_at_impact) {
  const double D = damping_at_impact;
  if (D < 1e-5) return -2.0 / 3.0;
  const double e = RestitutionOfDamping(D);
  return -((e * e * (1.0 + D) - 1.0) + e * D) / (e * D * (1.0 + D));
}

double RestitutionAzadFeatherstone(double beta) {
  // The damper alone takes the speed, until y³ = 3/(2β), and the bodies part as soon as the spring
  // drives the damper: u = −y²/β.
  if (!(beta < kStrongDamping)) return std::pow(1.5, 2.0 / 3.0) * std::pow(beta, -5.0 / 3.0);
  namespace odeint = boost::numeric::odeint;
  using Stepper = odeint::runge_kutta_fehlberg78<ImpactState>;
  const auto system = [beta](const ImpactState& state, ImpactState& rate, double) {
    const double square = state[0] * state[0];
    rate[0] = state[1];
    rate[1] = -2.0 * square * (square + beta * state[1]);
  };
  Stepper plain;
  auto controlled = odeint::make_controlled(kStepError, kStepError, plain);
  ImpactState state = {0.0, 1.0};
  double at = 0.0, step = kFirstStep;
  ImpactState before;
  double began = 0.0;
  do {
    before = state;
    began = at;
    while (controlled.try_step(system, state, at, step) == odeint::fail) continue;
  } while (TouchOf(state, beta) > 0.0);
  const auto touch = [&](double length) {
    plain.do_step(system, before, began, state, length);
    return TouchOf(state, beta);
  };
  plain.do_step(system, before, began, state, RootOf(touch, 0.0, at - began));
  return -state[1];
}

const char* ParameterName(RestitutionModel model) {
  switch (model) {
    case RestitutionModel::kConstant:
      return "restitution";
    case RestitutionModel::kHuntCrossley:
      return "alpha";
    default:
      return "beta";
  }
}

double Restitution(RestitutionModel model, double parameter, double speed) {
  switch (model) {
    case RestitutionModel::kConstant:
      return parameter;
    case RestitutionModel::kHuntCrossley:
      return RestitutionOfDamping(1.5 * parameter * speed);
    default:
      return RestitutionAzadFeatherstone(std::max(0.0, parameter * std::pow(speed, 0.2)));
  }
}

LeastSquaresFit FitRestitution(RestitutionModel model, const VectorXd& speed,
                               const VectorXd& restitution, const FitOptions& options,
                               const std::string& where) {
  LeastSquaresProblem problem;
  problem.names = {ParameterName(model)};
  problem.start = VectorXd::Constant(1, StartOf(model, speed, restitution));
  problem.observations = speed.size();
  problem.evaluate = [&](const VectorXd& x, VectorXd* residuals, MatrixXd* jacobian) {
    for (Index i = 0; i < speed.size(); ++i) {
      (*residuals)[i] = Restitution(model, x[0], speed[i]) - restitution[i];
      if (jacobian != nullptr) (*jacobian)(i, 0) = Slope(model, x[0], speed[i]);
    }
  };
  return FitLeastSquares(problem, options, where);
}

std::string ReasonForNoRebound(const VectorXd& restitution) {
  if (restitution.maxCoeff() > kRestitutionRounding) return "";
  return "no impact rebounds: the law takes a restitution above 0";
}

std::string ReasonUndetermined(RestitutionModel model, double parameter, const VectorXd& speed,
                               const VectorXd& restitution) {
  const auto law = [&](double v) { return Restitution(model, parameter, v); };
  for (const VectorXd& rebounds : {restitution, VectorXd(speed.unaryExpr(law))}) {
    std::string why = ReasonForNoRebound(rebounds);
    if (!why.empty()) return why;
  }
  if (model == RestitutionModel::kConstant) return "";
  if (parameter > 0.0 && speed.unaryExpr(law).minCoeff() < 1.0 - kRestitutionRounding) return "";
  return fmt::format(
      "the impacts show no loss of speed: their mean restitution is {:.4g}, and the law gives less "
      "than 1; check the columns, or choose `RestitutionModel::kConstant`",
      restitution.mean());
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
