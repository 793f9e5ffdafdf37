#include "volcontact/identify/stiffness_fit.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Measurements and contact points for a first guess.
constexpr Index kEnough = 60;
constexpr int kGuesses = 40;
// The stiffness of a contact is so many of its standard errors.
constexpr double kLeastSignificance = 4.0;
// [rad]; beyond it a body lies on its side.
constexpr double kMostTilt = 0.8;
// A law of unit stiffness and its slope, by the depth.
using UnitLaw = std::function<PressedVolume(double depth)>;

PressedVolume HertzUnit(double depth) {
  if (!(depth > 0.0)) return {};
  return {depth * std::sqrt(depth), 1.5 * std::sqrt(depth)};
}

// From 0 to 1 by rows, where nothing else is known.
VectorXd ProgressOf(const PressData& data) {
  if (data.progress.size() > 0) return data.progress;
  return VectorXd::LinSpaced(data.position.size(), 0.0, 1.0);
}

// No more than so many of the measurements, spread evenly: enough for a first guess.
PressData Thinned(const PressData& data) {
  const Index n = data.position.size(), step = std::max<Index>(1, n / kEnough);
  const auto some = Eigen::seqN(0, (n + step - 1) / step, step);
  return {data.position(some), data.force(some), ProgressOf(data)(some)};
}

// What is linear in the parameters of the baseline, one a column.
MatrixXd BaselineColumns(const PressData& data, const BaselineUnknowns& unknowns) {
  MatrixXd columns(data.position.size(), Index{unknowns.offset} + Index{unknowns.drift});
  if (unknowns.offset) columns.col(0).setOnes();
  if (unknowns.drift) columns.col(columns.cols() - 1) = ProgressOf(data);
  return columns;
}

struct Guess {
  double contact_point = 0.0, stiffness = 0.0;
  VectorXd baseline;
  double squares = std::numeric_limits<double>::infinity();
};

// The best of contact points over the range of the data and as far before it, with the stiffness
// and the baseline that are best for each: the least squares have a single minimum near it.
Guess GuessContact(const PressData& data, const UnitLaw& law, std::optional<double> stiffness,
                   const BaselineUnknowns& unknowns) {
  const double low = data.position.minCoeff(), range = data.position.maxCoeff() - low;
  const MatrixXd baseline = BaselineColumns(data, unknowns);
  Guess best;
  for (int i = 0; i < kGuesses; ++i) {
    const double p0 = low + range * (2.0 * i / kGuesses - 1.0);
    const VectorXd unit = data.position.unaryExpr([&](double p) { return law(p - p0).volume; });
    const double size = unit.norm();
    if (!(size > 0.0)) continue;
    VectorXd target = data.force;
    MatrixXd columns = baseline;
    if (stiffness) {
      target -= *stiffness * unit;
    } else {
      columns.conservativeResize(Eigen::NoChange, baseline.cols() + 1);
      columns.rightCols<1>() = unit / size;
    }
    const VectorXd x =
        columns.cols() > 0 ? VectorXd(columns.colPivHouseholderQr().solve(target)) : VectorXd();
    const double k = stiffness ? *stiffness : x[x.size() - 1] / size;
    const double left =
        columns.cols() > 0 ? (columns * x - target).squaredNorm() : target.squaredNorm();
    if (k > 0.0 && left < best.squares) best = {p0, k, x.head(baseline.cols()), left};
  }
  return best;
}

void CheckPress(const PressData& data, const std::string& where) {
  const VectorXd &p = data.position, &F = data.force;
  const double together = (p.array() - p.mean()).matrix().dot(F);
  if (!(p.maxCoeff() > p.minCoeff())) {
    throw InvalidInput(where + ": the positions are all the same; press to several depths");
  }
  if (!(F.maxCoeff() > F.minCoeff())) {
    throw InvalidInput(
        fmt::format("{}: the force is always {} N: no contact shows in the data; press further "
                    "than the contact point",
                    where, F[0]));
  }
  if (together < 0.0) {
    throw InvalidInput(where +
                       ": the force falls as the position grows; change the sign of one of them "
                       "with `MeasurementSource::negated`");
  }
}

// No contact point suits the data, perhaps because both signs are turned.
InvalidInput NoContact(const PressData& data, const std::string& where) {
  const bool turned = data.force.sum() < 0.0;
  return InvalidInput(
      where + ": no contact shows in the data; " +
      (turned ? "the forces are negative, but must be positive in compression: change both signs "
                "with `MeasurementSource::negated`, or check columns and units"
              : "check columns and units"));
}

// What a fit must show to be one of a contact: a stiffness well away from zero, and measurements
// beyond the contact point.
void CheckContact(const PressData& data, const LeastSquaresFit& fit, bool has_stiffness,
                  const BaselineUnknowns& unknowns, const std::string& where) {
  const Index touching = (data.position.array() > fit.x[0]).count();
  const bool weak = has_stiffness && fit.x[1] < kLeastSignificance * fit.StandardError(1);
  // Forces within the noise of none at all.
  const MatrixXd baseline = BaselineColumns(data, unknowns);
  const VectorXd contact = data.force - baseline * fit.x.tail(baseline.cols());
  const bool faint = contact.norm() < 1.1 * fit.residuals.norm();
  if (touching < fit.x.size() || weak || faint) {
    if (data.force.sum() < 0.0) throw NoContact(data, where);
    throw InvalidInput(
        fmt::format("{}: no contact shows in the data: {} of {} measurements lie beyond the point "
                    "that fits best, and their forces do not stand out from the noise; press "
                    "further, or check columns, units and `PressPath::direction_W`",
                    where, touching, data.position.size()));
  }
}

// The tilt must be a small angle that stands out from its error.
void CheckTilt(const LeastSquaresFit& fit, const std::string& where) {
  const auto [tilt, error, half_width, bootstrap] = fit.EstimateOf(kTilt);
  if (std::abs(tilt) < kMostTilt && error < 0.5 * std::abs(tilt)) return;
  throw InvalidInput(
      fmt::format("{}: the data do not determine the tilt: {:.2g} rad fits best, with an error of "
                  "{:.2g} rad; leave out `VolumetricUnknowns::tilt` where the body is aligned or "
                  "turning does not change it, else press further or give "
                  "`VolumetricUnknowns::stiffness`",
                  where, tilt, error));
}

// A body that is all in the other has no more to show.
void CheckDepth(const PressData& data, const Press& press, double contact_point, double tilt,
                const std::string& where) {
  const double deepest = data.position.maxCoeff() - contact_point;
  const PressedVolume at = press.At(tilt).At(deepest);
  if (!(deepest > 0.0) || at.slope > 0.0) return;
  throw InvalidInput(fmt::format(
      "{}: the fit goes {:.3g} m deep, where the overlap of the solids does not grow any more; "
      "check the unit of the positions, the solids and `PressPath::direction_W`",
      where, deepest));
}

LeastSquaresProblem ProblemOf(const PressData& data) {
  LeastSquaresProblem problem;
  problem.observations = data.position.size();
  problem.magnitude = data.force.cwiseAbs().maxCoeff();
  return problem;
}

// Residuals and their derivatives by the contact point and the stiffness.
void EvaluateLaw(const PressData& data, const UnitLaw& law, double p0, double k,
                 VectorXd* residuals, MatrixXd* jacobian, bool has_stiffness) {
  for (Index i = 0; i < data.position.size(); ++i) {
    const PressedVolume at = law(data.position[i] - p0);
    (*residuals)[i] = k * at.volume - data.force[i];
    if (jacobian == nullptr) continue;
    (*jacobian)(i, 0) = -k * at.slope;
    if (has_stiffness) (*jacobian)(i, 1) = at.volume;
  }
}

// The last parameters, linear.
void EvaluateBaseline(const MatrixXd& columns, const VectorXd& x, VectorXd* residuals,
                      MatrixXd* jacobian) {
  *residuals += columns * x.tail(columns.cols());
  if (jacobian != nullptr) jacobian->rightCols(columns.cols()) = columns;
}

void AddBaseline(const BaselineUnknowns& unknowns, const Guess& guess, LeastSquaresProblem* problem,
                 std::vector<double>* start) {
  if (unknowns.offset) problem->names.push_back(kForceOffset);
  if (unknowns.drift) problem->names.push_back(kForceDrift);
  start->insert(start->end(), guess.baseline.begin(), guess.baseline.end());
}

// The volumetric problem: x = p0, then k_V and γ where they are unknown, and the baseline.
class VolumetricProblem {
 public:
  VolumetricProblem(const PressData& data, const Press& press, const VolumetricUnknowns& unknowns)
      : data_(data), press_(press), unknowns_(unknowns) {}

  // Its number among the parameters, where it is one.
  Index TiltIndex() const { return unknowns_.stiffness ? 1 : 2; }

  LeastSquaresProblem Make(const Guess& guess, double tilt) const {
    LeastSquaresProblem problem = ProblemOf(data_);
    std::vector<double> start = {guess.contact_point};
    problem.names = {kContactPoint};
    if (!unknowns_.stiffness) {
      problem.names.push_back(kStiffness);
      start.push_back(guess.stiffness);
    }
    if (unknowns_.tilt) {
      problem.names.push_back(kTilt);
      start.push_back(tilt);
    }
    AddBaseline(unknowns_.baseline, guess, &problem, &start);
    problem.start = Eigen::Map<VectorXd>(start.data(), static_cast<Index>(start.size()));
    problem.evaluate = [this](const VectorXd& x, VectorXd* residuals, MatrixXd* jacobian) {
      Evaluate(x, residuals, jacobian);
    };
    return problem;
  }

 private:
  double Stiffness(const VectorXd& x) const {
    return unknowns_.stiffness ? *unknowns_.stiffness : x[1];
  }

  void Evaluate(const VectorXd& x, VectorXd* residuals, MatrixXd* jacobian) const {
    const double tilt = unknowns_.tilt ? x[TiltIndex()] : 0.0;
    const Press::Tilted tilted = press_.At(tilt);
    EvaluateLaw(
        data_, [&](double depth) { return tilted.At(depth); }, x[0], Stiffness(x), residuals,
        jacobian, !unknowns_.stiffness);
    if (jacobian != nullptr && unknowns_.tilt) AddTilt(x, tilt, jacobian);
    EvaluateBaseline(BaselineColumns(data_, unknowns_.baseline), x, residuals, jacobian);
  }

  // The point of first contact moves with the tilt, so that differences are simpler than the moment
  // of the area. Their error, of the second order in the step, does not move the minimum.
  void AddTilt(const VectorXd& x, double tilt, MatrixXd* jacobian) const {
    const double step = 1e-5 * std::max(std::abs(tilt), 1e-4);
    const Press::Tilted above = press_.At(tilt + step), below = press_.At(tilt - step);
    const double factor = Stiffness(x) / (2.0 * step);
    for (Index i = 0; i < data_.position.size(); ++i) {
      const double depth = data_.position[i] - x[0];
      (*jacobian)(i, TiltIndex()) = factor * (above.At(depth).volume - below.At(depth).volume);
    }
  }

  const PressData& data_;
  const Press& press_;
  const VolumetricUnknowns& unknowns_;
};

}  // namespace

PressData ReadPress(const MeasurementSource& source, std::vector<std::string>* notes) {
  using Kind = ColumnSpec::Kind;
  const Measurements data = ReadMeasurements(
      source, {{"position", Quantity::kLength, Kind::kRequired, {"displacement", "p"}},
               {"force", Quantity::kForce, Kind::kRequired, {"normal_force", "F"}},
               {"time", Quantity::kTime, Kind::kOptional, {"t"}}});
  notes->insert(notes->end(), data.notes.begin(), data.notes.end());
  PressData press = {data["position"], data["force"]};
  if (!data.Has("time")) return press;
  const VectorXd& t = data["time"];
  const double all = t[t.size() - 1] - t[0];
  if (!(all > 0.0)) {
    throw InvalidInput(fmt::format("{}: the time goes from {} s to {} s; put the rows in order",
                                   data.file, t[0], t[t.size() - 1]));
  }
  press.progress = (t.array() - t[0]) / all;
  return press;
}

LeastSquaresFit FitVolumetric(const PressData& data, const Press& press,
                              const VolumetricUnknowns& unknowns, const FitOptions& options,
                              const std::string& where) {
  CheckPress(data, where);
  const PressData thinned = Thinned(data);
  const std::vector<double> tilts = unknowns.tilt ? std::vector{0.0005, 0.001, 0.002, 0.004, 0.008,
                                                                0.016,  0.032, 0.064, 0.128, 0.256}
                                                  : std::vector{0.0};
  Guess best;
  double best_tilt = 0.0;
  for (const double tilt : tilts) {
    const Press::Tilted tilted = press.At(tilt);
    const Guess guess = GuessContact(
        thinned, [&](double depth) { return tilted.At(depth); }, unknowns.stiffness,
        unknowns.baseline);
    if (guess.squares < best.squares) {
      best = guess;
      best_tilt = tilt;
    }
  }
  if (!std::isfinite(best.squares)) {
    throw NoContact(data, where);
  }
  const VolumetricProblem problem(data, press, unknowns);
  LeastSquaresFit fit = FitLeastSquares(problem.Make(best, best_tilt), options, where);
  CheckContact(data, fit, !unknowns.stiffness, unknowns.baseline, where);
  if (unknowns.tilt) CheckTilt(fit, where);
  CheckDepth(data, press, fit.x[0], unknowns.tilt ? fit.EstimateOf(kTilt).value : 0.0, where);
  return fit;
}

LeastSquaresFit FitHertz(const PressData& data, const FitOptions& options, const std::string& where,
                         const BaselineUnknowns& baseline) {
  CheckPress(data, where);
  const Guess guess = GuessContact(Thinned(data), HertzUnit, std::nullopt, baseline);
  if (!std::isfinite(guess.squares)) {
    throw NoContact(data, where);
  }
  LeastSquaresProblem problem = ProblemOf(data);
  problem.names = {kContactPoint, kHertzStiffness};
  std::vector<double> start = {guess.contact_point, guess.stiffness};
  AddBaseline(baseline, guess, &problem, &start);
  problem.start = Eigen::Map<VectorXd>(start.data(), static_cast<Index>(start.size()));
  const MatrixXd columns = BaselineColumns(data, baseline);
  problem.evaluate = [&](const VectorXd& x, VectorXd* residuals, MatrixXd* jacobian) {
    EvaluateLaw(data, HertzUnit, x[0], x[1], residuals, jacobian, true);
    EvaluateBaseline(columns, x, residuals, jacobian);
  };
  LeastSquaresFit fit = FitLeastSquares(problem, options, where);
  CheckContact(data, fit, true, baseline, where);
  return fit;
}

VectorXd VolumetricForce(const VectorXd& position, const Press& press, double stiffness,
                         double contact_point, double tilt) {
  const Press::Tilted tilted = press.At(tilt);
  return position.unaryExpr(
      [&](double p) { return stiffness * tilted.At(p - contact_point).volume; });
}

VectorXd HertzForce(const VectorXd& position, double stiffness, double contact_point) {
  return position.unaryExpr(
      [&](double p) { return stiffness * HertzUnit(p - contact_point).volume; });
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
