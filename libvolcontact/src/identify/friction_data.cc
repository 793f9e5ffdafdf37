#include "volcontact/identify/friction_data.h"

#include <fmt/format.h>

#include <cmath>

#include "volcontact/identify/damping_fit.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Kind = ColumnSpec::Kind;

const std::vector<ColumnSpec>& Columns() {
  static const std::vector<ColumnSpec> columns = {
      {"normal_force", Quantity::kForce, Kind::kRequired, {"fn"}},
      {"friction_force", Quantity::kForce, Kind::kOptional, {"ft"}},
      {"friction_torque", Quantity::kTorque, Kind::kOptional, {"torque"}},
      {"time", Quantity::kTime, Kind::kOptional, {"t"}},
      {"position", Quantity::kLength, Kind::kOptional, {"displacement"}},
      {"velocity", Quantity::kSpeed, Kind::kOptional, {"speed", "v"}},
      {"angle", Quantity::kAngle, Kind::kOptional, {}},
      {"angular_velocity", Quantity::kAngularVelocity, Kind::kOptional, {"omega"}},
      {"run", Quantity::kRatio, Kind::kOptionalText, {}},
      {"experiment", Quantity::kRatio, Kind::kOptionalText, {}}};
  return columns;
}

FrictionExperiment ExperimentOf(const std::string& name, const std::string& where) {
  if (name == "slow") return FrictionExperiment::kSlow;
  if (name == "steady") return FrictionExperiment::kSteady;
  if (name == "oscillation") return FrictionExperiment::kOscillation;
  throw InvalidInput(fmt::format(
      "{}: \"{}\" is not an experiment; it is one of slow, steady, oscillation", where, name));
}

// A rate as recorded, or from the positions over time; empty where neither was recorded.
VectorXd RateOf(const Measurements& data, const char* rate, const char* position, double scale,
                const std::string& where) {
  if (data.Has(rate)) return scale * data[rate];
  if (data.Has(position) && data.Has("time") && data.size() > 2) {
    return scale * CentralDifferences(data["time"], data[position], where);
  }
  return {};
}

// The way from the first sample by the trapezoidal rule; empty where time does not grow.
VectorXd Integral(const VectorXd& time, const VectorXd& speed) {
  VectorXd travel = VectorXd::Zero(speed.size());
  for (Index i = 1; i < speed.size(); ++i) {
    const double step = time[i] - time[i - 1];
    if (!(step > 0.0)) return {};
    travel[i] = travel[i - 1] + 0.5 * step * (speed[i] + speed[i - 1]);
  }
  return travel;
}

// Friction is positive against a positive speed, whatever the sensor's sign.
void TurnToOppose(FrictionRun* run) {
  if (run->coefficient.dot(run->speed) < 0.0) run->coefficient *= -1.0;
}

void AddShare(const VectorXd& other, FrictionRun* run) {
  run->mixed = other.size() > 0;
  run->average_speed = run->speed.cwiseAbs();
  run->share = VectorXd::Ones(run->speed.size());
  if (!run->mixed) return;
  run->average_speed = (run->speed.array().square() + other.array().square()).sqrt();
  for (Index i = 0; i < run->speed.size(); ++i) {
    if (run->average_speed[i] > 0.0) {
      run->share[i] = std::abs(run->speed[i]) / run->average_speed[i];
    }
  }
}

class RunReader {
 public:
  RunReader(const Measurements& data, std::optional<double> gyration_radius)
      : rotational_(data.Has("friction_torque")), radius_(gyration_radius) {
    if (rotational_ == data.Has("friction_force")) {
      throw InvalidInput(data.file +
                         (rotational_ ? ": has both \"friction_force\" and \"friction_torque\"; "
                                        "identify from one of them at a time"
                                      : ": there is neither a column \"friction_force\" nor "
                                        "\"friction_torque\"; give one of them"));
    }
    const bool turns = data.Has("angle") || data.Has("angular_velocity");
    if ((rotational_ || turns) && !radius_) {
      throw InvalidInput(
          "`gyration_radius` is missing: rotation takes that of the contact patch, r/sqrt(2) of a "
          "flat disc; a query of the solids computes it as gyration_radius");
    }
  }

  FrictionRun Read(const Measurements& data, const std::string& label,
                   const std::string& where) const {
    const double r = radius_.value_or(1.0);
    FrictionRun run;
    run.label = label;
    run.place = where;
    run.rotational = rotational_;
    if (data.Has("time")) run.time = data["time"];
    const VectorXd slide = RateOf(data, "velocity", "position", 1.0, where);
    const VectorXd turn = RateOf(data, "angular_velocity", "angle", r, where);
    run.speed = rotational_ ? turn : slide;
    if (run.speed.size() == 0) {
      throw InvalidInput(fmt::format(
          "{}: the speed is not known; give a column \"{}\", or \"{}\" and \"time\"", where,
          rotational_ ? "angular_velocity" : "velocity", rotational_ ? "angle" : "position"));
    }
    const char* const position = rotational_ ? "angle" : "position";
    if (data.Has(position)) {
      run.travel = (rotational_ ? r : 1.0) * (data[position].array() - data[position][0]);
    } else if (data.Has("time")) {
      run.travel = Integral(data["time"], run.speed);
    }
    AddCoefficient(data, r, &run);
    TurnToOppose(&run);
    AddShare(rotational_ ? slide : turn, &run);
    return run;
  }

 private:
  void AddCoefficient(const Measurements& data, double r, FrictionRun* run) const {
    const VectorXd& load = data["normal_force"];
    for (Index i = 0; i < data.size(); ++i) {
      if (!(load[i] > 0.0)) {
        throw InvalidInput(data.Message(
            i, fmt::format("the normal force is {} N; it must be positive: correct the row, or "
                           "turn the sign with `MeasurementSource::negated`",
                           load[i])));
      }
    }
    run->coefficient = rotational_ ? data["friction_torque"].cwiseQuotient(r * load).eval()
                                   : data["friction_force"].cwiseQuotient(load).eval();
  }

  bool rotational_;
  std::optional<double> radius_;
};

// Each row as a run of its own.
std::vector<DataRun> SingleRows(const Measurements& data) {
  std::vector<DataRun> runs;
  for (Index i = 0; i < data.size(); ++i) runs.push_back({"", data.Rows({i})});
  return runs;
}

}  // namespace

FrictionRuns ReadFriction(const MeasurementSource& source, std::optional<double> gyration_radius,
                          const std::string& experiment) {
  Measurements data = ReadMeasurements(source, Columns());
  if (!data.labels.contains("experiment")) {
    if (experiment.empty()) {
      throw InvalidInput(data.file +
                         ": there is no column \"experiment\"; add one with slow, steady or "
                         "oscillation in each row, or give `experiment` for all");
    }
    data.labels["experiment"].assign(data.lines.size(), experiment);
  }
  const RunReader reader(data, gyration_radius);
  FrictionRuns runs;
  runs.notes = data.notes;
  for (const DataRun& kind : SplitRuns(data, "experiment")) {
    const FrictionExperiment which = ExperimentOf(kind.label, data.file);
    const bool points = which == FrictionExperiment::kSteady && !data.labels.contains("run");
    std::vector<FrictionRun>& list = which == FrictionExperiment::kSlow     ? runs.slow
                                     : which == FrictionExperiment::kSteady ? runs.steady
                                                                            : runs.oscillation;
    for (const DataRun& run : points ? SingleRows(kind.data) : SplitRuns(kind.data, "run")) {
      list.push_back(reader.Read(run.data, run.label, RunPlace(data, run.label)));
    }
  }
  return runs;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
