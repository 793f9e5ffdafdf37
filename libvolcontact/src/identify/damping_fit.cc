#include "volcontact/identify/damping_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "volcontact/identify/restitution_fit.h"
#include "volcontact/identify/stiffness_fit.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The force rises out of what it was where it exceeds this share of the greatest.
constexpr double kForceShare = 0.02;
// Before contact: enough to even out the steps of an encoder; earlier the drive may still
// accelerate.
constexpr Index kMostSamples = 50;
// Speeds that differ by less than this share of the greatest are one.
constexpr double kImpactSpread = 0.05;
// For damping to show it must be so many of its standard errors.
constexpr double kDampingSignificance = 2.0;

constexpr char kFactor[] = "damping_factor";

// x = −a, then p0 unless it is known.
LeastSquaresProblem ProblemOf(const ImpactData& data, const Press::Tilted& press,
                              const DampingKnowns& known, double contact_point) {
  LeastSquaresProblem problem;
  problem.observations = data.position.size();
  problem.magnitude = data.force.cwiseAbs().maxCoeff();
  problem.names = {kFactor};
  problem.start = VectorXd::Zero(1);
  if (!known.contact_point) {
    problem.names.push_back(kContactPoint);
    problem.start = Eigen::Vector2d(0.0, contact_point);
  }
  problem.evaluate = [&data, &press, k = known.stiffness, contact_point](
                         const VectorXd& x, VectorXd* residuals, MatrixXd* jacobian) {
    const double p0 = x.size() > 1 ? x[1] : contact_point;
    for (Index i = 0; i < data.position.size(); ++i) {
      const PressedVolume at = press.At(data.position[i] - p0);
      const double factor = 1.0 + x[0] * data.velocity[i];
      const bool pressed = factor > 0.0;  // never tensile
      (*residuals)[i] = (pressed ? k * at.volume * factor : 0.0) - data.force[i];
      if (jacobian == nullptr) continue;
      (*jacobian)(i, 0) = pressed ? k * at.volume * data.velocity[i] : 0.0;
      if (x.size() > 1) (*jacobian)(i, 1) = pressed ? -k * at.slope * factor : 0.0;
    }
  };
  return problem;
}

// A first contact point: the position at which the force rises out of what it was before. Damping
// and contact point are then found together.
double GuessContactPoint(const ImpactData& data) {
  const double threshold = kForceShare * data.force.maxCoeff();
  Index last = 0;
  data.force.maxCoeff(&last);
  while (last > 0 && data.force[last] > threshold) --last;
  return data.position[last];
}

double ImpactSpeed(const ImpactData& data, double contact_point, const std::string& where) {
  Index first_inside = 0;
  while (first_inside < data.position.size() && data.position[first_inside] <= contact_point) {
    ++first_inside;
  }
  if (first_inside == 0) {
    throw InvalidInput(where +
                       ": no sample comes before contact, so the speed of impact is not known; add "
                       "some, or give `DampingKnowns::impact_speed`");
  }
  const Index count = std::min(first_inside, kMostSamples);
  const double speed = data.velocity.segment(first_inside - count, count).mean();
  if (speed > 0.0) return speed;
  throw InvalidInput(fmt::format(
      "{}: the velocity before contact is {} m/s, away from it; turn the sign of one column with "
      "`MeasurementSource::negated`",
      where, speed));
}

void CheckImpact(const ImpactData& data, const LeastSquaresFit& fit, double contact_point,
                 const std::string& where) {
  const Index touching = (data.position.array() > contact_point).count();
  if (touching > fit.x.size() && data.force.norm() > 1.1 * fit.residuals.norm()) return;
  throw InvalidInput(fmt::format(
      "{}: no contact shows in the data: {} of {} samples lie beyond the contact point, and their "
      "forces do not stand out from the noise; check columns, units and `DampingKnowns::stiffness`",
      where, touching, data.position.size()));
}

}  // namespace

std::vector<ImpactData> ReadImpacts(const MeasurementSource& source,
                                    std::vector<std::string>* notes) {
  using Kind = ColumnSpec::Kind;
  const Measurements data = ReadMeasurements(
      source, {{"position", Quantity::kLength, Kind::kRequired, {"displacement", "p"}},
               {"force", Quantity::kForce, Kind::kRequired, {"normal_force", "F"}},
               {"velocity", Quantity::kSpeed, Kind::kOptional, {"speed", "v"}},
               {"time", Quantity::kTime, Kind::kOptional, {"t"}},
               {"run", Quantity::kRatio, Kind::kOptionalText, {}}});
  notes->insert(notes->end(), data.notes.begin(), data.notes.end());
  RequireVariation(data, "position", "an impact moves");
  std::vector<ImpactData> impacts;
  for (const DataRun& run : SplitRuns(data, "run")) {
    const std::string where = RunPlace(data, run.label);
    ImpactData impact = {run.label, where, run.data["position"], {}, run.data["force"]};
    if (data.Has("velocity")) {
      impact.velocity = run.data["velocity"];
    } else if (data.Has("time")) {
      impact.velocity = CentralDifferences(run.data["time"], impact.position, where);
    } else {
      throw InvalidInput(data.file +
                         ": there is neither a column \"velocity\" nor \"time\"; one of them gives "
                         "the speed that damping depends on");
    }
    impacts.push_back(std::move(impact));
  }
  return impacts;
}

VectorXd CentralDifferences(const VectorXd& time, const VectorXd& position,
                            const std::string& where) {
  const Index n = time.size();
  if (n < 3) throw InvalidInput(where + ": three samples at least are needed for a velocity");
  VectorXd velocity(n);
  for (Index i = 0; i < n; ++i) {
    const Index before = std::max<Index>(i - 1, 0), after = std::min<Index>(i + 1, n - 1);
    if (!(time[after] > time[before]) || (i > 0 && !(time[i] > time[i - 1]))) {
      throw InvalidInput(
          fmt::format("{}: time does not grow at {} s; put the rows in order, or mark the runs",
                      where, time[i]));
    }
    velocity[i] = (position[after] - position[before]) / (time[after] - time[before]);
  }
  return velocity;
}

ImpactDamping FitDamping(const ImpactData& data, const Press::Tilted& press,
                         const DampingKnowns& known, const FitOptions& options) {
  const std::string& where = data.place;
  if (!(data.force.maxCoeff() > data.force.minCoeff())) {
    throw InvalidInput(fmt::format("{}: the force is always {} N: no contact shows in the data",
                                   where, data.force[0]));
  }
  const double start = known.contact_point ? *known.contact_point : GuessContactPoint(data);
  ImpactDamping impact;
  impact.label = data.label;
  impact.fit = FitLeastSquares(ProblemOf(data, press, known, start), options, where);
  impact.contact_point = known.contact_point ? start : impact.fit.x[1];
  CheckImpact(data, impact.fit, impact.contact_point, where);
  impact.factor = -impact.fit.x[0];
  impact.factor_error = impact.fit.StandardError(0);
  impact.impact_speed =
      known.impact_speed ? *known.impact_speed : ImpactSpeed(data, impact.contact_point, where);
  impact.damping = -impact.factor * impact.impact_speed;
  impact.damping_error = impact.factor_error * impact.impact_speed;
  return impact;
}

DampingRelation Relate(const std::vector<ImpactDamping>& impacts) {
  const Index n = static_cast<Index>(impacts.size());
  VectorXd damping(n), errors(n), speed(n), factor(n);
  for (Index i = 0; i < n; ++i) {
    const ImpactDamping& impact = impacts[static_cast<std::size_t>(i)];
    damping[i] = impact.damping;
    errors[i] = impact.damping_error;
    speed[i] = impact.impact_speed;
    factor[i] = -impact.factor;
  }
  DampingRelation relation;
  relation.damping = Combine(damping, errors);
  relation.least_speed = speed.minCoeff();
  relation.greatest_speed = speed.maxCoeff();
  if (n < 3 || factor.minCoeff() <= 0.0 || relation.least_speed == relation.greatest_speed) {
    return relation;
  }
  LeastSquaresProblem line;
  line.names = {"log_damping", "exponent"};
  line.start = Eigen::Vector2d(std::log(relation.damping.value), 1.0);
  line.observations = n;
  const VectorXd x = speed.array().log(), y = factor.array().log();
  line.evaluate = [x, y](const VectorXd& at, VectorXd* residuals, MatrixXd* jacobian) {
    *residuals = (at[0] - at[1] * x.array() - y.array()).matrix();
    if (jacobian == nullptr) return;
    jacobian->col(0).setOnes();
    jacobian->col(1) = -x;
  };
  relation.exponent = FitLeastSquares(line, {}, "damping over speed");
  return relation;
}

std::string ReasonUndetermined(const DampingRelation& relation) {
  if (relation.greatest_speed - relation.least_speed < kImpactSpread * relation.greatest_speed) {
    return fmt::format(
        "all impacts are at about {:.3g} m/s, so the data do not show how damping depends on the "
        "speed; measure at other speeds",
        relation.greatest_speed);
  }
  if (relation.damping.value > kDampingSignificance * relation.damping.standard_error) return "";
  return "the data show no damping: the forces on the approach are not above the elastic ones";
}

Estimate RestitutionEstimate(const CombinedEstimate& damping) {
  const double slope = std::abs(RestitutionSlope(damping.value));
  return {RestitutionOfDamping(damping.value), slope * damping.standard_error,
          slope * damping.half_width, std::nullopt};
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
