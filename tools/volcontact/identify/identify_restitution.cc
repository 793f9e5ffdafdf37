// volcontact identify restitution: how restitution depends on the speed of impact.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "cli/progress.h"
#include "identify/identify.h"
#include "volcontact/forces/damping.h"
#include "volcontact/identify/restitution_fit.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

// A fitted restitution above one by no more than this is one that was rounded.
constexpr double kGainWorthANote = 1e-9;

constexpr char kIdentifyRestitutionFooter[] =
    R"(Fits three laws to the restitution of free impacts: a constant one, with Gonthier's damping d(e); Hunt and
Crossley's, e ~ 1 - alpha |v|; and Azad and Featherstone's, whose lambda needs --mass and
--hertz-stiffness. Columns: impact_speed, restitution or rebound_speed.

Example: a steel ball dropped on a plate
  volcontact identify restitution data/identify/drops.csv --mass 0.066 --hertz-stiffness 1e10
)";

constexpr identify::RestitutionModel kModels[] = {identify::RestitutionModel::kConstant,
                                                  identify::RestitutionModel::kHuntCrossley,
                                                  identify::RestitutionModel::kAzadFeatherstone};
constexpr const char* kModelNames[] = {"constant", "hunt_crossley", "azad_featherstone"};
constexpr const char* kUnits[] = {"", "s/m", "(s/m)^(1/5)"};
constexpr const char* kSources[] = {"Gonthier 2007, Eq. (3.23)",
                                    "Gonthier 2007, Section 3.1: a = 3/2 alpha",
                                    "Azad & Featherstone 2014, Eq. (11)"};

// Those of the laws that the data determine, by their place among kModels.
using Fits = std::map<std::size_t, identify::LeastSquaresFit>;

struct RestitutionCommand {
  std::string model = "all";
  std::optional<double> mass, hertz_stiffness;

  void AddTo(CLI::App* command);
  Identified Run(const IdentifyArguments& arguments) const;

 private:
  std::vector<std::size_t> Chosen() const;
  void AddLambda(const identify::LeastSquaresFit& fit, Identified* identified) const;
  void LeaveOpen(std::size_t i, const std::string& why, Identified* identified) const;
};

void RestitutionCommand::AddTo(CLI::App* command) {
  command
      ->add_option("--model", model,
                   "all, constant, hunt_crossley or azad_featherstone; --out writes the chosen "
                   "law, and for all the constant one")
      ->capture_default_str()
      ->type_name("NAME");
  command->add_option("--mass", mass, "Mass m of the body [kg]; for two bodies 1/(1/m_a + 1/m_b)")
      ->type_name("M");
  command
      ->add_option("--hertz-stiffness", hertz_stiffness,
                   "k of F = k z^1.5 [N/m^1.5]; `estimate hertz` computes it")
      ->type_name("K");
}

std::vector<std::size_t> RestitutionCommand::Chosen() const {
  if (model == "all") return {0, 1, 2};
  for (std::size_t i = 0; i < std::size(kModelNames); ++i) {
    if (model == kModelNames[i]) return {i};
  }
  throw InvalidInput(fmt::format(
      "--model {}: not a model; choose one of all, constant, hunt_crossley, azad_featherstone",
      model));
}

void RequireSpeeds(const identify::Rebounds& rebounds, const std::string& model,
                   const std::string& file) {
  constexpr double kLeastSpread = 0.05;
  const double high = rebounds.speed.maxCoeff(), low = rebounds.speed.minCoeff();
  if (model != "all" || high - low >= kLeastSpread * high) return;
  throw InvalidInput(fmt::format(
      "{}: all impacts are at about {:.4g} m/s: how restitution depends on the speed is not in the "
      "data; measure at other speeds, or choose a law with --model",
      file, high));
}

// λ from β at 1 m/s, and what of it is left open without mass and stiffness.
void RestitutionCommand::AddLambda(const identify::LeastSquaresFit& fit,
                                   Identified* identified) const {
  FitReport& report = identified->report;
  if (!mass || !hertz_stiffness) {
    report.AddUndetermined("lambda", "N s/m^1.5",
                           "it takes --mass and --hertz-stiffness: restitution alone gives only "
                           "beta = lambda k^(-3/5) m^(-2/5)");
    if (model == kModelNames[2])
      identified->no_contact = "lambda takes --mass and --hertz-stiffness";
    return;
  }
  const double factor = std::pow(*hertz_stiffness, 0.6) * std::pow(*mass, 0.4);
  identify::Estimate lambda = fit.EstimateOf("beta");
  for (double* value : {&lambda.value, &lambda.standard_error, &lambda.half_width}) {
    *value *= factor;
  }
  if (lambda.bootstrap) {
    lambda.bootstrap->standard_error *= factor;
    lambda.bootstrap->low *= factor;
    lambda.bootstrap->high *= factor;
  }
  report.Add({"lambda", "N s/m^1.5", lambda, "Azad & Featherstone 2014, Eq. (8)"});
  if (model == kModelNames[2]) {
    identified->contact["normal"] = {
        {"law", "azad_featherstone"}, {"stiffness", *hertz_stiffness}, {"damping", lambda.value}};
  }
}

void RestitutionCommand::LeaveOpen(std::size_t i, const std::string& why,
                                   Identified* identified) const {
  identified->report.AddUndetermined(identify::ParameterName(kModels[i]), kUnits[i], why);
  if (i == 2) identified->report.AddUndetermined("lambda", "N s/m^1.5", why);
  // With all laws the contact file gets the constant one.
  if (i == 0 || model == kModelNames[i]) identified->no_contact = why;
}

// e in (0, 1] with its damping, for the contact file.
void AddConstant(const identify::LeastSquaresFit& fit, Identified* identified) {
  const double e = fit.x[0], within = std::min(e, 1.0);
  if (e > 1.0 + kGainWorthANote) {
    identified->report.AddNote(fmt::format(
        "the contact file gets restitution = 1, as {:.6g} would be a gain of energy", e));
  }
  identified->report.AddDerived("d", SolveDamping(within).d, "", "Gonthier 2007, Eq. (3.23)");
  identified->contact["normal"] = {{"law", "volumetric"}, {"restitution", within}};
}

void AddBetter(const Fits& fits, FitReport* report) {
  constexpr double kClear = 2.0;
  std::vector<std::size_t> order;
  for (const auto& [i, fit] : fits) order.push_back(i);
  if (order.size() < 2) {
    report->AddPart("better_model", nullptr);
    return;
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return fits.at(a).aic < fits.at(b).aic; });
  const double difference = fits.at(order[1]).aic - fits.at(order[0]).aic;
  const bool clear = difference > kClear;
  report->AddPart("better_model", clear ? Json(kModelNames[order[0]]) : Json(nullptr),
                  fmt::format("{:<22}{} (AIC less by {:.3g} than {})\n", "better model",
                              clear ? kModelNames[order[0]] : "none is clearly better", difference,
                              kModelNames[order[1]]));
}

// The name of a law as a reader would write it.
std::string SpokenName(std::size_t i) {
  std::string name = kModelNames[i];
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

FitPlot PlotOf(const identify::Rebounds& rebounds, const Fits& fits) {
  constexpr int kPoints = 100;
  FitPlot plot("Restitution");
  plot.AddPanel("speed of impact [m/s]", "coefficient of restitution [1]");
  plot.AddMarks("measured", rebounds.speed, rebounds.restitution);
  const Eigen::VectorXd line = Eigen::VectorXd::LinSpaced(kPoints, 0.8 * rebounds.speed.minCoeff(),
                                                          1.05 * rebounds.speed.maxCoeff());
  for (const auto& entry : fits) {
    const std::size_t i = entry.first;
    const double parameter = entry.second.x[0];
    plot.AddLine(SpokenName(i), line, line.unaryExpr([&](double v) {
      return identify::Restitution(kModels[i], parameter, v);
    }));
  }
  for (const auto& [i, fit] : fits) {
    const double parameter = fit.x[0];
    const Eigen::VectorXd fitted = rebounds.speed.unaryExpr(
        [&, i = i](double v) { return identify::Restitution(kModels[i], parameter, v); });
    plot.AddResiduals(SpokenName(i), rebounds.speed, rebounds.restitution - fitted, 1);
  }
  return plot;
}

InvalidInput NoneDetermined(const std::string& file, const std::string& why) {
  return InvalidInput(fmt::format("{}: no parameter is determined: {}", file, why));
}

Identified RestitutionCommand::Run(const IdentifyArguments& arguments) const {
  arguments.RefuseIdleBase();
  const identify::FitOptions options = arguments.Checked();
  const std::vector<std::size_t> chosen = Chosen();
  for (const auto& [name, value] :
       {std::pair{"--mass", mass}, {"--hertz-stiffness", hertz_stiffness}}) {
    if (value && !(*value > 0.0 && std::isfinite(*value))) {
      throw InvalidInput(fmt::format("{} {}: must be positive", name, *value));
    }
  }
  Identified identified("restitution");
  std::vector<std::string> notes;
  const identify::Rebounds rebounds = identify::ReadRebounds(arguments.data.Source(), &notes);
  identified.report.AddNotes(notes);
  RequireSpeeds(rebounds, model, arguments.data.file);
  const Progress progress;
  Fits fits;
  std::string why = identify::ReasonForNoRebound(rebounds.restitution);
  if (!why.empty()) throw NoneDetermined(arguments.data.file, why);
  for (const std::size_t i : chosen) {
    std::optional<identify::LeastSquaresFit> fit;
    try {
      fit = identify::FitRestitution(kModels[i], rebounds.speed, rebounds.restitution, options,
                                     arguments.data.file);
      why =
          identify::ReasonUndetermined(kModels[i], fit->x[0], rebounds.speed, rebounds.restitution);
    } catch (const InvalidInput& error) {
      why = error.what();
    }
    if (!why.empty()) {
      LeaveOpen(i, why, &identified);
      continue;
    }
    const ParameterEstimate estimate =
        EstimateOf(*fit, identify::ParameterName(kModels[i]), kUnits[i], kSources[i]);
    identified.report.Add(estimate);
    identified.report.AddModel(kModelNames[i], *fit, {estimate});
    if (i == 0) AddConstant(*fit, &identified);
    if (i == 2) AddLambda(*fit, &identified);
    fits[i] = *std::move(fit);
  }
  if (fits.empty()) {
    throw NoneDetermined(arguments.data.file, why);
  }
  if (model == kModelNames[1]) {
    identified.no_contact =
        "a contact file has no law of Hunt and Crossley with alpha: it takes a restitution";
  }
  if (chosen.size() > 1) AddBetter(fits, &identified.report);
  identified.plot = PlotOf(rebounds, fits);
  return identified;
}

}  // namespace

void AddIdentifyRestitution(CLI::App* identify, ExitStatus* status) {
  AddIdentify<RestitutionCommand>(identify, status, "restitution",
                                  "Restitution against the speed of impact",
                                  kIdentifyRestitutionFooter);
}

}  // namespace volcontact::tool
