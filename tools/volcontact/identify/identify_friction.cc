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
#include "volcontact/identify/statistics.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kIdentifyFrictionFooter[] =
    R"(Finds mu_s, sigma0 and sigma1 from slow acceleration from rest, mu_c and sigma2 from runs at constant speeds,
tau_dwell and v_stribeck from oscillations, and says what the data leave open. Columns: normal_force, friction_force or
friction_torque, velocity or angular_velocity (or position, angle and time), run, and experiment: slow,
steady or oscillation. Where both motions are recorded, coefficients are corrected for the Contensou effect.

Example: a disc dragged over a plate
  volcontact identify friction data/identify/friction.csv --base data/contact.json --out contact.json
)";

constexpr const char* kNames[] = {"mu_s",   "mu_c",       "sigma0",   "sigma1",
                                  "sigma2", "v_stribeck", "tau_dwell"};

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

// What is known so far, and why the rest is not.
struct Findings {
  std::map<std::string, ParameterEstimate> found;
  std::map<std::string, std::string> open;
  bool rotational = false;

  void Add(ParameterEstimate estimate) {
    estimate.unit = UnitOf(estimate.name);
    if (estimate.source.empty()) estimate.source = SourceOf(estimate.name, rotational);
    open.erase(estimate.name);
    found[estimate.name] = std::move(estimate);
  }
  void Open(const std::string& name, const std::string& why) {
    if (!found.contains(name)) open[name] = why;
  }
  // Each once, for a message.
  std::string Reasons() const {
    std::string text;
    for (const auto& [name, why] : open) {
      if (text.find(why) == std::string::npos) text += (text.empty() ? "" : "; ") + why;
    }
    return text;
  }
};

struct FrictionFitCommand {
  std::optional<double> gyration_radius;
  std::string experiment;

  void AddTo(CLI::App* command);
  Identified Run(const IdentifyArguments& arguments) const;
};

void FrictionFitCommand::AddTo(CLI::App* command) {
  command
      ->add_option("--gyration-radius", gyration_radius,
                   "r_gyr of the contact patch [m], for rotation; r/sqrt(2) of a flat disc")
      ->type_name("R");
  command
      ->add_option("--experiment", experiment,
                   "slow, steady or oscillation, for all rows, where there is no such column")
      ->type_name("NAME");
}

void FindSliding(const identify::FrictionRuns& runs, const IdentifyArguments& arguments,
                 Findings* findings, FitReport* report, FitPlot* plot) {
  identify::Sliding sliding;
  try {
    sliding = identify::FitSliding(runs.steady, arguments.Checked(), arguments.data.file);
  } catch (const InvalidInput& error) {
    sliding.why_not = error.what();
  }
  const std::string left_out = sliding.LeftOut();
  if (!left_out.empty()) report->AddNote(left_out);
  if (!sliding.fit) {
    for (const char* name : {"mu_c", "sigma2"}) findings->Open(name, sliding.why_not);
    return;
  }
  std::vector<ParameterEstimate> estimates;
  for (const char* name : {"mu_c", "sigma2"}) {
    findings->Add(EstimateOf(*sliding.fit, name, "", ""));
    estimates.push_back(findings->found[name]);
  }
  report->AddModel("sliding", *sliding.fit, estimates);
  report->AddDerived("r_squared", sliding.r_squared, "", "of the regression over speeds");
  const ParameterEstimate& sigma2 = findings->found["sigma2"];
  if (std::abs(sigma2.value) < sigma2.half_width) {
    report->AddNote("viscous friction does not stand out from the scatter: sigma2 may be zero");
  }
  const double fastest = sliding.speed.maxCoeff();
  plot->AddPanel("speed [m/s]", "coefficient of friction");
  plot->AddMarks("means of steady runs", sliding.speed, sliding.coefficient);
  plot->AddLine(
      "mu_c + sigma2 v", Eigen::Vector2d(0.0, fastest),
      Eigen::Vector2d(sliding.fit->x[0], sliding.fit->x[0] + sliding.fit->x[1] * fastest));
}

Json BreakAwayJson(const identify::BreakAway& run) {
  Json json = {{"run", run.label}, {"travel_at_break_away", run.travel_at_peak}};
  for (std::size_t i = 0; i < run.fit.names.size(); ++i) {
    json[run.fit.names[i]] = run.fit.x[static_cast<Eigen::Index>(i)];
  }
  json["rms"] = run.fit.Rms();
  return json;
}

// The mean of a parameter over the runs that have it.
std::optional<ParameterEstimate> MeanOf(const std::vector<identify::BreakAway>& runs,
                                        const std::string& name, FitReport* report) {
  std::vector<ParameterEstimate> estimates;
  for (const identify::BreakAway& run : runs) {
    const bool has = run.falls || (name != "mu_c" && name != "v_stribeck");
    if (has) estimates.push_back(EstimateOf(run.fit, name, "", ""));
  }
  if (estimates.empty()) return std::nullopt;
  if (estimates.size() == 1) return estimates[0];
  Eigen::VectorXd values(estimates.size()), errors(estimates.size());
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    values[static_cast<Eigen::Index>(i)] = estimates[i].value;
    errors[static_cast<Eigen::Index>(i)] = estimates[i].standard_error;
  }
  const identify::CombinedEstimate mean = identify::Combine(values, errors);
  if (mean.scattered) {
    report->AddNote(name +
                    ": the runs scatter by more than their own errors; the error given is "
                    "that of the scatter");
  }
  return ParameterEstimate{name, "", mean.value, mean.standard_error, mean.half_width, ""};
}

void PlotBreakAway(const identify::FrictionRun& run, const identify::BreakAway& fit, double sigma2,
                   FitPlot* plot) {
  const Eigen::VectorXd& x = fit.fit.x;
  const double sign = run.travel.sum() < 0.0 ? -1.0 : 1.0;
  const Eigen::VectorXd travel = sign * run.travel, speed = sign * run.speed;
  Eigen::VectorXd model =
      (x[0] * travel + x[1] * speed).cwiseMin(x[2] * run.share) + sigma2 * speed;
  if (fit.falls) {
    const BristleFriction law{.mu_s = x[2],
                              .mu_c = x[3],
                              .sigma0 = x[0],
                              .sigma1 = x[1],
                              .sigma2 = sigma2,
                              .v_stribeck = std::abs(x[4])};
    model = sign * identify::SimulateCoefficient(run, law);
  }
  plot->AddPanel("travel [m]", "coefficient of friction");
  plot->AddMarks("slow run " + run.label, travel, sign * run.coefficient);
  plot->AddLine("sigma0, sigma1, mu_s", travel, model);
}

void FindBreakAway(const identify::FrictionRuns& runs, const IdentifyArguments& arguments,
                   Findings* findings, FitReport* report, FitPlot* plot) {
  if (runs.slow.empty()) {
    for (const char* name : {"mu_s", "sigma0", "sigma1"}) {
      findings->Open(name, "there is no slow acceleration from rest in the data (experiment slow)");
    }
    return;
  }
  const auto sliding = findings->found.find("sigma2");
  const double sigma2 = sliding == findings->found.end() ? 0.0 : sliding->second.value;
  std::vector<identify::BreakAway> fits;
  Json list = Json::array();
  const identify::FrictionRun* drawn = nullptr;
  for (const identify::FrictionRun& run : runs.slow) {
    // A run that shows no break-away leaves the rest as it is.
    try {
      fits.push_back(identify::FitBreakAway(run, sigma2, arguments.Checked()));
    } catch (const InvalidInput& error) {
      const std::string why = error.what();
      report->AddNote("slow run left out: " + why);
      for (const char* name : {"mu_s", "sigma0", "sigma1"}) findings->Open(name, why);
      continue;
    }
    if (drawn == nullptr) drawn = &run;
    list.push_back(BreakAwayJson(fits.back()));
    std::vector<ParameterEstimate> estimates;
    for (const std::string& name : fits.back().fit.names) {
      estimates.push_back(
          EstimateOf(fits.back().fit, name, UnitOf(name), SourceOf(name, run.rotational)));
    }
    report->AddModel("break_away" + (run.label.empty() ? "" : " " + run.label), fits.back().fit,
                     estimates);
  }
  report->AddPart("slow_runs", list);
  if (drawn == nullptr) return;
  PlotBreakAway(*drawn, fits.front(), sigma2, plot);
  for (const char* name : kNames) {
    // Steady runs say more of sliding than the end of a slow one.
    if (findings->found.contains(name)) continue;
    const std::string key = name;
    if (key == "sigma2" || key == "tau_dwell") continue;
    const auto mean = MeanOf(fits, key, report);
    if (mean) findings->Add(*mean);
  }
}

// All but dwell and Stribeck's velocity, from the data or from --base.
std::optional<BristleFriction> KnownFriction(const Findings& findings,
                                             const IdentifyArguments& arguments,
                                             std::string* missing) {
  std::map<std::string, double> values;
  for (const char* name : {"mu_s", "mu_c", "sigma0", "sigma1", "sigma2"}) {
    const auto found = findings.found.find(name);
    const auto base = arguments.FromBase("friction", name);
    if (found != findings.found.end()) {
      values[name] = found->second.value;
    } else if (base) {
      values[name] = *base;
    } else if (std::string(name) != "sigma2") {
      *missing = name;
      return std::nullopt;
    }
  }
  return BristleFriction{.mu_s = values["mu_s"],
                         .mu_c = values["mu_c"],
                         .sigma0 = values["sigma0"],
                         .sigma1 = values["sigma1"],
                         .sigma2 = values["sigma2"]};
}

// A parameter from its logarithm, if that is known well enough.
void AddFromLog(const identify::LeastSquaresFit& fit, const std::string& name, Findings* findings) {
  constexpr double kWellKnown = 0.5;
  const ParameterEstimate log = EstimateOf(fit, "log_" + name, "", "");
  if (!(log.standard_error < kWellKnown)) {
    findings->Open(name,
                   "the oscillations do not determine it: its error is half of it or more; "
                   "oscillate with rests about as long as it, and through lower speeds");
    return;
  }
  const double value = std::exp(log.value);
  ParameterEstimate estimate = {name, "", value, value * log.standard_error, value * log.half_width,
                                ""};
  if (log.bootstrap) {
    estimate.bootstrap = {value * log.bootstrap->standard_error, std::exp(log.bootstrap->low),
                          std::exp(log.bootstrap->high)};
  }
  findings->Add(estimate);
}

std::string WhyNoOscillation(const identify::FrictionRuns& runs, const Findings& findings,
                             const IdentifyArguments& arguments,
                             std::optional<BristleFriction>* known) {
  if (runs.oscillation.empty())
    return "there is no oscillation in the data (experiment oscillation)";
  std::string missing;
  *known = KnownFriction(findings, arguments, &missing);
  if (!*known) {
    return fmt::format("{} is not known: add slow and steady runs, or name it in a --base file",
                       missing);
  }
  const double difference = (*known)->mu_s - (*known)->mu_c;
  double error = 0.0;
  for (const char* name : {"mu_s", "mu_c"}) {
    const auto found = findings.found.find(name);
    if (found != findings.found.end() && std::isfinite(found->second.standard_error)) {
      error = std::hypot(error, found->second.standard_error);
    }
  }
  if (difference > 2.0 * error && difference > 0.02 * (*known)->mu_c) return "";
  return fmt::format(
      "static and sliding friction hardly differ (mu_s - mu_c = {:.3g} +- {:.2g}): where stiction "
      "adds nothing its growth and its fall do not show",
      difference, error);
}

void PlotOscillation(const identify::FrictionRun& run, BristleFriction law,
                     const identify::LeastSquaresFit& fit, FitPlot* plot) {
  law.tau_dwell = std::exp(fit.x[0]);
  law.v_stribeck = std::exp(fit.x[1]);
  plot->AddPanel("time [s]", "coefficient of friction");
  plot->AddMarks("oscillation " + run.label, run.time, run.coefficient);
  plot->AddLine("bristle model", run.time, identify::SimulateCoefficient(run, law));
}

void FindDwell(const identify::FrictionRuns& runs, const IdentifyArguments& arguments,
               Findings* findings, FitReport* report, FitPlot* plot) {
  std::optional<BristleFriction> known;
  std::string why = WhyNoOscillation(runs, *findings, arguments, &known);
  if (why.empty()) {
    try {
      const identify::LeastSquaresFit fit = identify::FitOscillation(
          runs.oscillation, *known, arguments.Checked(), arguments.data.file + ": oscillations");
      report->AddModel("oscillation", fit,
                       {EstimateOf(fit, "log_tau_dwell", "log s", "Boos 2011, Eq. (4.29)"),
                        EstimateOf(fit, "log_v_stribeck", "log m/s", "Boos 2011, Eq. (4.9)")});
      AddFromLog(fit, "tau_dwell", findings);
      AddFromLog(fit, "v_stribeck", findings);
      report->AddNote(
          "the errors of tau_dwell and v_stribeck hold for the other parameters as they "
          "are found; the errors of those are not in them");
      PlotOscillation(runs.oscillation.front(), *known, fit, plot);
      return;
    } catch (const InvalidInput&) {
      why =
          "the oscillations do not determine it: friction after a reversal hardly exceeds that of "
          "sliding; oscillate with longer rests, and through lower speeds";
    }
  }
  for (const char* name : {"tau_dwell", "v_stribeck"}) findings->Open(name, why);
}

// The bristles of the contact file, or why there are none.
void AddContact(const Findings& findings, const IdentifyArguments& arguments,
                Identified* identified) {
  Json friction = {{"law", "bristle"}};
  for (const char* name : kNames) {
    const auto found = findings.found.find(name);
    if (found != findings.found.end()) friction[name] = found->second.value;
    const bool needed = std::string(name) == "mu_c" || std::string(name).starts_with("sigma");
    if (needed && std::string(name) != "sigma2" && !friction.contains(name) &&
        !arguments.FromBase("friction", name)) {
      identified->no_contact = fmt::format(
          "{} is not determined: {}", name,
          findings.open.contains(name) ? findings.open.at(name) : "the data do not show it");
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

Identified FrictionFitCommand::Run(const IdentifyArguments& arguments) const {
  arguments.Checked();
  if (gyration_radius && !(*gyration_radius > 0.0 && std::isfinite(*gyration_radius))) {
    throw InvalidInput(fmt::format("--gyration-radius {}: must be positive", *gyration_radius));
  }
  const identify::FrictionRuns runs =
      identify::ReadFriction(arguments.data.Source(), gyration_radius, experiment);
  const Progress progress;
  Identified identified("friction");
  FitReport& report = identified.report;
  Findings findings;
  for (const auto* list : {&runs.slow, &runs.steady, &runs.oscillation}) {
    if (!list->empty()) findings.rotational = list->front().rotational;
  }
  FitPlot plot("Friction");
  FindSliding(runs, arguments, &findings, &report, &plot);
  FindBreakAway(runs, arguments, &findings, &report, &plot);
  FindDwell(runs, arguments, &findings, &report, &plot);
  if (findings.found.empty()) {
    throw InvalidInput(
        fmt::format("{}: no parameter is determined: {}", arguments.data.file, findings.Reasons()));
  }
  for (const char* name : kNames) {
    if (findings.found.contains(name)) {
      report.Add(findings.found.at(name));
    } else {
      report.AddUndetermined(
          name, UnitOf(name),
          findings.open.contains(name) ? findings.open.at(name) : "the data do not show it");
    }
  }
  AddContact(findings, arguments, &identified);
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
