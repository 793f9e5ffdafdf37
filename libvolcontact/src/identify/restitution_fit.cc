#include "volcontact/identify/restitution_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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
// dy/dσ = u, du/dσ = −2 y⁴ − 2 β y² u, in units in which m = k = |v| = 1.
struct ImpactState {
  double y = 0.0, u = 1.0;

  ImpactState Rate(double beta) const {
    const double square = y * y;
    return {u, -2.0 * square * (square + beta * u)};
  }
  ImpactState Plus(double h, const ImpactState& rate) const {
    return {y + h * rate.y, u + h * rate.u};
  }
  // The bodies part where the force would turn to tension.
  bool Parted(double beta) const { return u < 0.0 && (y <= 0.0 || y * y + beta * u <= 0.0); }

  ImpactState Step(double beta, double h) const {
    const ImpactState a = Rate(beta);
    const ImpactState b = Plus(0.5 * h, a).Rate(beta);
    const ImpactState c = Plus(0.5 * h, b).Rate(beta);
    const ImpactState d = Plus(h, c).Rate(beta);
    return {y + h / 6.0 * (a.y + 2.0 * (b.y + c.y) + d.y),
            u + h / 6.0 * (a.u + 2.0 * (b.u + c.u) + d.u)};
  }
};

// The derivative of a model by its parameter.
double Slope(RestitutionModel model, double x, double speed) {
  switch (model) {
    case RestitutionModel::kConstant:
      return 1.0;
    case RestitutionModel::kHuntCrossley:
      return 1.5 * speed * RestitutionSlope(std::max(0.0, 1.5 * speed * x));
    default: {
      constexpr double kStep = 1e-4;
      const double factor = std::pow(speed, 0.2), beta = std::max(kStep, factor * x);
      return factor *
             (RestitutionAzadFeatherstone(beta + kStep) -
              RestitutionAzadFeatherstone(beta - kStep)) /
             (2.0 * kStep);
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
      throw InvalidInput(data.Message(i, "the speed of impact is 0; it must not be"));
    }
  }
  rebounds.restitution =
      data.Has("restitution")
          ? data["restitution"]
          : data["rebound_speed"].cwiseAbs().cwiseQuotient(rebounds.speed).eval();
  // A little above 1 may be noise; more is a mistake.
  constexpr double kMostNoise = 0.1;
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
  // (1 + D)/(1 − eD) = exp(D (1 + e)) without its root at e = −1 and divided by D².
  const auto residual = [D](double e) {
    return 0.5 * (e * e - 1.0) + D * (LogRemainder(D) + e * e * e * LogRemainder(-e * D));
  };
  double low = 0.0, high = std::min(1.0, (1.0 - 0.5 * std::numeric_limits<double>::epsilon()) / D);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (residual(middle) > 0.0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

double RestitutionSlope(double damping_at_impact) {
  const double D = damping_at_impact;
  if (D < 1e-5) return -2.0 / 3.0;
  const double e = RestitutionOfDamping(D);
  return -((e * e * (1.0 + D) - 1.0) + e * D) / (e * D * (1.0 + D));
}

double RestitutionAzadFeatherstone(double beta) {
  constexpr double kStep = 4e-3;
  constexpr int kMostSteps = 50'000;  // strong damping creeps; what is left of the speed is < 1e-4
  ImpactState state;
  for (int i = 0; i < kMostSteps; ++i) {
    const ImpactState next = state.Step(beta, kStep);
    if (!next.Parted(beta)) {
      state = next;
      continue;
    }
    double low = 0.0, high = kStep;
    while (high - low > 1e-16) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (state.Step(beta, middle).Parted(beta) ? high : low) = middle;
    }
    return -state.Step(beta, high).u;
  }
  return -state.u;
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

std::string WhyUndetermined(RestitutionModel model, double parameter, const VectorXd& speed,
                            const VectorXd& restitution) {
  constexpr double kRounding = 1e-9;
  // Below this the integration of strong damping ends.
  const double least = model == RestitutionModel::kAzadFeatherstone ? 1e-4 : kRounding;
  const auto law = [&](double v) { return Restitution(model, parameter, v); };
  if (!(restitution.maxCoeff() > kRounding) || !(speed.unaryExpr(law).maxCoeff() > least)) {
    return "no impact rebounds: the law takes a restitution above 0";
  }
  if (model == RestitutionModel::kConstant) return "";
  if (parameter > 0.0 && speed.unaryExpr(law).minCoeff() < 1.0 - kRounding) return "";
  return fmt::format(
      "the impacts show no loss of speed: their mean restitution is {:.4g}, and the law gives less "
      "than 1; check the columns, or choose --model constant",
      restitution.mean());
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
