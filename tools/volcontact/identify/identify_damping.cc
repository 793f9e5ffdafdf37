// volcontact identify damping: damping factors and restitution from driven impacts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "cli/progress.h"
#include "identify/identify.h"
#include "identify/press_arguments.h"
#include "volcontact/identify/damping_fit.h"
#include "volcontact/identify/restitution_fit.h"
#include "volcontact/identify/statistics.h"
#include "volcontact/identify/stiffness_fit.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kIdentifyDampingFooter[] =
    R"(Fits F = k_V V(p - p0) (1 + a v_n) to each impact, v_n = -dp/dt, with the known k_V, and relates the
damping factors to the speeds of impact. Columns: position, force, velocity or time, and run if there
are several impacts.

Example: a ball driven against a plate at several speeds
  volcontact identify damping data/identify/impacts.csv --solid data/identify/ball.json \
    --stiffness 7.59e13
)";

// The error of an exponent that is fitted to data without noise.
constexpr double kExponentRounding = 1e-6;

struct DampingCommand {
  PressArguments pressed;
  std::optional<double> stiffness, contact_point, impact_speed;

  void AddTo(CLI::App* command);
  Identified Run(const IdentifyArguments& arguments) const;

 private:
  identify::DampingKnowns Knowns(const IdentifyArguments& arguments) const;
};

void DampingCommand::AddTo(CLI::App* command) {
  pressed.AddTo(command);
  command->add_option("--stiffness", stiffness, "k_V [N/m^3] (default: that of --base)")
      ->type_name("K");
  command
      ->add_option("--contact-point", contact_point,
                   "p0 of all impacts [m] (default: found for each impact)")
      ->type_name("P");
  command
      ->add_option("--impact-speed", impact_speed,
                   "Speed of all impacts [m/s] (default: that of the samples before contact)")
      ->type_name("V");
}

identify::DampingKnowns DampingCommand::Knowns(const IdentifyArguments& arguments) const {
  const std::optional<double> base = arguments.BaseStiffness();
  if (!stiffness && !base) {
    throw InvalidInput(
        "--stiffness is missing, and the damping is relative to the elastic force; find k_V from a "
        "slow press with `identify stiffness` and give it, or a --base file with a volumetric law");
  }
  const double k = stiffness ? *stiffness : *base;
  for (const auto& [name, value] :
       {std::pair{"--stiffness", k}, {"--impact-speed", impact_speed.value_or(1.0)}}) {
    if (!(value > 0.0 && std::isfinite(value))) {
      throw InvalidInput(fmt::format("{} {}: must be positive", name, value));
    }
  }
  return {k, contact_point, impact_speed};
}

identify::Estimate MeanEstimate(const identify::CombinedEstimate& mean) {
  return {mean.value, mean.standard_error, mean.half_width, std::nullopt};
}

Json ImpactJson(const identify::ImpactDamping& impact) {
  const bool lossy = impact.damping > 0.0;
  Json json = {
      {"run", impact.label},
      {"damping_factor", impact.factor},
      {"damping_factor_error", impact.factor_error},
      {"impact_speed", impact.impact_speed},
      {"contact_point", impact.contact_point},
      {"damping", impact.damping},
      {"damping_error", impact.damping_error},
      {"restitution", lossy ? Json(identify::RestitutionOfDamping(impact.damping)) : Json(nullptr)},
      {"rms", impact.fit.Rms()},
      {"converged", impact.fit.converged}};
  if (impact.fit.x.size() > 1) json["correlation"] = impact.fit.Correlations()(0, 1);
  if (!impact.fit.bootstrap.empty()) {
    // The bootstrap of a, whose sign is the opposite of the fitted parameter's.
    const identify::BootstrapEstimate& b = impact.fit.bootstrap[0];
    json["damping_factor_bootstrap"] = {{"standard_error", b.standard_error},
                                        {"interval", {-b.high, -b.low}}};
  }
  return json;
}

void AddImpacts(const std::vector<identify::ImpactDamping>& impacts, FitReport* report) {
  Json runs = Json::array();
  std::string text = fmt::format("\n{:<14}{:>14}{:>12}{:>14}{:>12}{:>12}\n", "run", "a [s/m]", "+-",
                                 "|v_n^i| [m/s]", "-a |v_n^i|", "e");
  for (const identify::ImpactDamping& impact : impacts) {
    runs.push_back(ImpactJson(impact));
    if (!impact.fit.converged) report->MarkNotConverged();
    text += fmt::format("{:<14}{:>14.6g}{:>12.2g}{:>14.6g}{:>12.5g}{:>12}\n", impact.label,
                        impact.factor, impact.factor_error, impact.impact_speed, impact.damping,
                        impact.damping > 0.0
                            ? fmt::format("{:.4g}", identify::RestitutionOfDamping(impact.damping))
                            : "none");
  }
  report->AddPart("runs", runs, text);
}

// Impacts whose residuals are no noise.
void AddStructure(const std::vector<identify::ImpactData>& data,
                  const std::vector<identify::ImpactDamping>& impacts, FitReport* report) {
  std::string labels;
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    const bool found = identify::TestResiduals(impacts[i].fit.residuals, data[i].position,
                                               data[i].force.cwiseAbs().maxCoeff())
                           .found;
    if (!found) continue;
    labels += (labels.empty() ? "" : ", ") +
              (impacts[i].label.empty() ? std::string("the impact") : impacts[i].label);
  }
  if (labels.empty()) return;
  report->AddNote(fmt::format(
      "WARNING: the residuals are not noise in these runs: {}. Their parameters may be off by much "
      "more than their errors say: an offset of the force, a stiffness that is not that of the "
      "pair, or velocities with noise of their own",
      labels));
}

void AddExponent(const identify::DampingRelation& relation, FitReport* report) {
  if (!relation.exponent) {
    report->AddNote(
        "the inverse relation of damping and speed is not tested, because that needs three impacts "
        "at different speeds");
    return;
  }
  const ParameterEstimate exponent =
      EstimateOf(*relation.exponent, "exponent", "", "a ~ |v_n^i|^-m; 1 where the relation holds");
  report->Add(exponent);
  const double difference = std::abs(exponent.estimate.value - 1.0);
  if (difference > exponent.estimate.half_width && difference > kExponentRounding) {
    report->AddNote(
        "the exponent differs from 1 by more than its error: damping is not inversely "
        "proportional to the speed of impact, and the restitution depends on it");
  }
}

// The relation over all impacts, where their speeds differ.
void AddRelation(const identify::DampingRelation& relation, Identified* identified) {
  FitReport& report = identified->report;
  const std::string why = identify::ReasonUndetermined(relation);
  if (!why.empty()) {
    report.AddUndetermined("damping", "", why);
    report.AddUndetermined("restitution", "", why);
    identified->no_contact = why;
    return;
  }
  const identify::Estimate restitution = identify::RestitutionEstimate(relation.damping);
  report.Add({"damping", "", MeanEstimate(relation.damping),
              "Boos 2011, Eq. (2.7): a = -damping/|v_n^i|"});
  report.Add({"restitution", "", restitution, "Gonthier 2007, Eq. (3.23): damping = d(e)/e"});
  AddExponent(relation, &report);
  if (relation.damping.scattered) {
    report.AddNote(
        "the impacts scatter by more than their own errors, so the errors are those of the "
        "scatter");
  }
  identified->contact["normal"] = {{"law", "volumetric"}, {"restitution", restitution.value}};
}

FitPlot PlotOf(const std::vector<identify::ImpactDamping>& impacts,
               const identify::DampingRelation& relation) {
  constexpr int kPoints = 200;
  Eigen::VectorXd speed(impacts.size()), factor(impacts.size()), error(impacts.size());
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    speed[static_cast<Eigen::Index>(i)] = impacts[i].impact_speed;
    factor[static_cast<Eigen::Index>(i)] = -impacts[i].factor;
    error[static_cast<Eigen::Index>(i)] = impacts[i].factor_error;
  }
  FitPlot plot("Damping of driven impacts");
  plot.AddPanel("speed of impact [m/s]", "damping factor -a [s/m]");
  plot.AddMarks("measured", speed, factor, error);
  const Eigen::VectorXd line = Eigen::VectorXd::LinSpaced(kPoints, 0.8 * relation.least_speed,
                                                          1.1 * relation.greatest_speed);
  plot.AddLine("inverse relation", line, (relation.damping.value / line.array()).matrix());
  plot.AddResiduals("inverse relation", speed,
                    factor.array() - relation.damping.value / speed.array(), 1);
  return plot;
}

Identified DampingCommand::Run(const IdentifyArguments& arguments) const {
  arguments.CheckOutputs(pressed.solids);
  const identify::FitOptions options = arguments.Checked();
  const identify::DampingKnowns known = Knowns(arguments);
  Identified identified("damping");
  std::vector<std::string> notes;
  const std::vector<identify::ImpactData> data =
      identify::ReadImpacts(arguments.data.Source(), &notes);
  identified.report.AddNotes(notes);
  const PressSolids bodies = pressed.Read();
  const Progress progress;
  const identify::Press press(bodies.A, bodies.B, pressed.Path(), pressed.CheckedTolerance());
  const identify::Press::Tilted straight = press.At(0.0);
  std::vector<identify::ImpactDamping> impacts;
  impacts.reserve(data.size());
  for (const identify::ImpactData& impact : data) {
    impacts.push_back(identify::FitDamping(impact, straight, known, options));
  }
  const identify::DampingRelation relation = identify::Relate(impacts);
  AddRelation(relation, &identified);
  AddImpacts(impacts, &identified.report);
  AddStructure(data, impacts, &identified.report);
  if (identified.contact.contains("normal")) {
    Json& normal = identified.contact["normal"];
    if (stiffness) normal["stiffness"] = *stiffness;
    const double v_small =
        arguments.FromBase("normal", "v_small").value_or(RestitutionDamping().v_small);
    if (relation.least_speed < v_small) {
      normal["v_small"] = relation.least_speed;
      identified.report.AddNote(
          fmt::format("the contact file gets v_small = {:.4g} m/s, the slowest impact: impacts "
                      "below v_small are damped less",
                      relation.least_speed));
    }
  }
  if (!press.converged()) identified.report.MarkNotConverged();
  identified.report.AddNotes(bodies.notes);
  identified.plot = PlotOf(impacts, relation);
  return identified;
}

}  // namespace

void AddIdentifyDamping(CLI::App* identify, ExitStatus* status) {
  AddIdentify<DampingCommand>(identify, status, "damping",
                              "Damping and restitution from driven impacts",
                              kIdentifyDampingFooter);
}

}  // namespace volcontact::tool
