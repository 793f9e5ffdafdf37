// volcontact identify friction: the seven parameters of the bristle friction.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "cli/progress.h"
#include "identify/identify.h"
#include "volcontact/identify/friction_data.h"
#include "volcontact/identify/friction_fit.h"
#include "volcontact/identify/friction_motion.h"
#include "volcontact/identify/friction_parameters.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kIdentifyFrictionFooter[] =
    R"(Finds mu_s, sigma0 and sigma1 from slow acceleration from rest, mu_c and sigma2 from runs at constant
speeds, tau_dwell and v_stribeck from oscillations. Says which parameters the data do not determine.
Columns: normal_force, friction_force or friction_torque, velocity or angular_velocity (or position,
angle and time), run, and experiment: slow, steady or oscillation. If both motions are recorded,
coefficients are corrected for the Contensou effect.

Example: a disc dragged over a plate
  volcontact identify friction data/identify/friction.csv --base data/contact.json --out contact.json
)";

const char* UnitOf(const std::string& name) {
  static const std::map<std::string, const char*> units = {{"sigma0", "1/m"},
                                                           {"sigma1", "s/m"},
                                                           {"sigma2", "s/m"},
                                                           {"v_stribeck", "m/s"},
                                                           {"tau_dwell", "s"}};
  const auto found = units.find(name);
  return found == units.end() ? "" : found->second;
}

const char* SourceOf(const std::string& name, bool rotational) {
  if (name == "mu_s") return "Boos 2011, Eqs. (5.4), (5.6)";
  if (name == "sigma0" || name == "sigma1") return "Boos 2011, Eqs. (5.3), (5.7)";
  if (name == "mu_c" || name == "sigma2") {
    return rotational ? "Boos 2011, Eq. (5.15)" : "Boos 2011, Eq. (5.9)";
  }
  return "Boos 2011, Eqs. (4.9), (4.29)";
}

ParameterEstimate Described(const std::string& name, const identify::Estimate& estimate,
                            bool rotational) {
  return {name, UnitOf(name), estimate, SourceOf(name, rotational)};
}

struct FrictionFitCommand {
  std::optional<double> gyration_radius;
  std::string experiment;

  void AddTo(CLI::App* command);
  Identified Run(const IdentifyArguments& arguments) const;
};

void FrictionFitCommand::AddTo(CLI::App* command) {
  command
      ->add_option("--gyration-radius", gyration_radius,
                   "r_gyr of the contact patch [m], for rotation; a flat disc has r/sqrt(2)")
      ->type_name("R");
  command
      ->add_option("--experiment", experiment,
                   "slow, steady or oscillation, for all rows, if there is no such column")
      ->type_name("NAME");
}

void AddSliding(const identify::Sliding& sliding, bool rotational, FitReport* report,
                FitPlot* plot) {
  if (!sliding.fit) return;
  std::vector<ParameterEstimate> estimates;
  for (const char* name : {"mu_c", "sigma2"}) {
    estimates.push_back(Described(name, sliding.fit->EstimateOf(name), rotational));
  }
  report->AddModel("sliding", *sliding.fit, estimates);
  report->AddDerived("r_squared", sliding.r_squared, "", "of the regression over speeds");
  const double fastest = sliding.speed.maxCoeff();
  plot->AddPanel("speed [m/s]", "coefficient of friction [1]");
  plot->AddMarks("means of steady runs", sliding.speed, sliding.coefficient);
  plot->AddLine(
      "mu_c + sigma2 v", Eigen::Vector2d(0.0, fastest),
      Eigen::Vector2d(sliding.fit->x[0], sliding.fit->x[0] + sliding.fit->x[1] * fastest));
  plot->AddResiduals(
      "mu_c + sigma2 v", sliding.speed,
      sliding.coefficient.array() - sliding.fit->x[0] - sliding.fit->x[1] * sliding.speed.array(),
      sliding.fit->x.size());
}

Json BreakAwayJson(const identify::BreakAway& run) {
  Json json = {{"run", run.label}, {"travel_at_break_away", run.travel_at_peak}};
  for (std::size_t i = 0; i < run.fit.names.size(); ++i) {
    json[run.fit.names[i]] = run.fit.x[static_cast<Eigen::Index>(i)];
  }
  json["rms"] = run.fit.Rms();
  return json;
}

void PlotBreakAway(const identify::FrictionRun& run, const identify::BreakAway& break_away,
                   double sigma2, FitPlot* plot) {
  const double sign = run.travel[run.travel.size() - 1] < 0.0 ? -1.0 : 1.0;
  const Eigen::VectorXd travel = sign * run.travel;
  plot->AddPanel("travel [m]", "coefficient of friction [1]");
  plot->AddMarks("slow run " + run.label, travel, sign * run.coefficient);
  const Eigen::VectorXd fitted = sign * identify::BreakAwayCoefficient(run, break_away, sigma2);
  plot->AddLine("sigma0, sigma1, mu_s", travel, fitted);
  plot->AddResiduals("sigma0, sigma1, mu_s", travel, sign * run.coefficient - fitted,
                     break_away.fit.x.size());
}

void AddBreakAway(const identify::FrictionRuns& runs,
                  const identify::FrictionParameters& parameters, FitReport* report,
                  FitPlot* plot) {
  if (runs.slow.empty()) return;
  Json list = Json::array();
  for (const identify::BreakAway& run : parameters.break_aways) {
    list.push_back(BreakAwayJson(run));
    std::vector<ParameterEstimate> estimates;
    for (const std::string& name : run.fit.names) {
      estimates.push_back(Described(name, run.fit.EstimateOf(name), runs.slow.front().rotational));
    }
    report->AddModel("break_away" + (run.label.empty() ? "" : " " + run.label), run.fit, estimates);
  }
  report->AddPart("slow_runs", list);
  if (parameters.break_aways.empty()) return;
  const auto& sliding = parameters.sliding.fit;
  PlotBreakAway(runs.slow[parameters.slow_runs.front()], parameters.break_aways.front(),
                sliding ? sliding->EstimateOf("sigma2").value : 0.0, plot);
}

void AddOscillation(const identify::FrictionRuns& runs,
                    const identify::FrictionParameters& parameters, FitReport* report,
                    FitPlot* plot) {
  if (!parameters.oscillation) return;
  const identify::LeastSquaresFit& fit = *parameters.oscillation;
  report->AddModel("oscillation", fit,
                   {EstimateOf(fit, "log_tau_dwell", "log s", "Boos 2011, Eq. (4.29)"),
                    EstimateOf(fit, "log_v_stribeck", "log m/s", "Boos 2011, Eq. (4.9)")});
  const identify::FrictionRun& run = runs.oscillation.front();
  plot->AddPanel("time [s]", "coefficient of friction [1]");
  plot->AddMarks("oscillation " + run.label, run.time, run.coefficient);
  const Eigen::VectorXd fitted = identify::SimulateCoefficient(run, parameters.oscillation_law);
  plot->AddLine("bristle model", run.time, fitted);
  plot->AddResiduals("bristle model", run.time, run.coefficient - fitted, fit.x.size());
}

// The bristles of the contact file, or why there are none.
void AddContact(const identify::FrictionParameters& parameters,
                const std::map<std::string, double>& known, Identified* identified) {
  Json friction = {{"law", "bristle"}};
  for (const char* name : identify::kFrictionNames) {
    const auto found = parameters.found.find(name);
    if (found != parameters.found.end()) friction[name] = found->second.value;
    const bool needed = std::string(name) == "mu_c" || std::string(name).starts_with("sigma");
    if (needed && std::string(name) != "sigma2" && !friction.contains(name) &&
        !known.contains(name)) {
      identified->no_contact =
          fmt::format("{} is not determined: {}", name, parameters.open.at(name));
      return;
    }
  }
  if (friction.value("sigma2", 0.0) < 0.0) {
    friction["sigma2"] = 0.0;
    identified->report.AddNote(
        "the contact file gets sigma2 = 0: friction must not fall with speed");
  }
  if (friction.contains("mu_s") && friction.contains("mu_c") &&
      friction["mu_s"].get<double>() < friction["mu_c"].get<double>()) {
    friction["mu_s"] = friction["mu_c"];
    identified->report.AddNote("the contact file gets mu_s = mu_c, as it must not be less");
  }
  identified->contact["friction"] = friction;
}

// The parameters of --base.
std::map<std::string, double> KnownFriction(const IdentifyArguments& arguments) {
  std::map<std::string, double> known;
  for (const char* name : identify::kFrictionNames) {
    const std::optional<double> value = arguments.FromBase("friction", name);
    if (value) known[name] = *value;
  }
  return known;
}

Identified FrictionFitCommand::Run(const IdentifyArguments& arguments) const {
  const identify::FitOptions options = arguments.Checked();
  if (gyration_radius && !(*gyration_radius > 0.0 && std::isfinite(*gyration_radius))) {
    throw InvalidInput(fmt::format("--gyration-radius {}: must be positive", *gyration_radius));
  }
  const std::string& file = arguments.data.file;
  const identify::FrictionRuns runs =
      identify::ReadFriction(arguments.data.Source(), gyration_radius, experiment);
  const std::map<std::string, double> known = KnownFriction(arguments);
  const Progress progress;
  const identify::FrictionParameters parameters = identify::FitFriction(runs, known, options, file);
  if (parameters.found.empty()) {
    throw InvalidInput(
        fmt::format("{}: no parameter is determined: {}", file, parameters.Reasons()));
  }
  bool rotational = false;
  for (const auto* list : {&runs.slow, &runs.steady, &runs.oscillation}) {
    if (!list->empty()) rotational = list->front().rotational;
  }
  Identified identified("friction");
  FitReport& report = identified.report;
  FitPlot plot("Friction");
  report.AddNotes(parameters.notes);
  AddSliding(parameters.sliding, rotational, &report, &plot);
  AddBreakAway(runs, parameters, &report, &plot);
  AddOscillation(runs, parameters, &report, &plot);
  for (const char* name : identify::kFrictionNames) {
    const auto found = parameters.found.find(name);
    if (found != parameters.found.end()) {
      report.Add(Described(name, found->second, rotational));
    } else {
      report.AddUndetermined(name, UnitOf(name), parameters.open.at(name));
    }
  }
  AddContact(parameters, known, &identified);
  report.AddNotes(runs.notes);
  identified.plot = std::move(plot);
  return identified;
}

}  // namespace

void AddIdentifyFriction(CLI::App* identify, ExitStatus* status) {
  AddIdentify<FrictionFitCommand>(identify, status, "friction",
                                  "Parameters of the bristle friction from sliding",
                                  kIdentifyFrictionFooter);
}

}  // namespace volcontact::tool
