// volcontact identify stiffness: k_V and the contact point from a slow press.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

#include "cli/options.h"
#include "cli/progress.h"
#include "identify/identify.h"
#include "identify/press_arguments.h"
#include "volcontact/identify/cylinder_wedge.h"
#include "volcontact/identify/press.h"
#include "volcontact/identify/stiffness_fit.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/cylinder_size.h"

namespace volcontact::tool {
namespace {

constexpr char kIdentifyStiffnessFooter[] =
    R"(Fits F = k_V V(p - p0) to force against position. The volume of the overlap is computed from the
solids. Hertz's F = k (p - p0)^1.5 is fitted for comparison. A moves along --direction as the position
grows. Columns: position, force, and time for --fit-drift.

Example: a ball pressed on a plate
  volcontact identify stiffness data/identify/press_sphere.csv --solid data/identify/ball.json
)";

struct StiffnessCommand {
  PressArguments pressed;
  std::string tilt_axis;
  std::optional<double> stiffness;
  bool tilt = false;
  identify::BaselineUnknowns baseline;

  void AddTo(CLI::App* command);
  Identified Run(const IdentifyArguments& arguments) const;

 private:
  identify::PressPath Path() const;
  void AddVolumetric(const identify::LeastSquaresFit& fit, Identified* identified) const;
  void AddComparison(const identify::LeastSquaresFit& volumetric,
                     const identify::LeastSquaresFit& hertz, FitReport* report) const;
  void AddWedge(const std::optional<CylinderSize>& cylinder, const identify::PressData& data,
                const identify::Press& press, const identify::LeastSquaresFit& fit,
                FitReport* report) const;
  void AddPlot(const identify::PressData& data, const identify::Press& press,
               const identify::LeastSquaresFit& volumetric, const identify::LeastSquaresFit& hertz,
               Identified* identified) const;
};

double ValueOf(const identify::LeastSquaresFit& fit, const std::string& name, double otherwise) {
  for (std::size_t i = 0; i < fit.names.size(); ++i) {
    if (fit.names[i] == name) return fit.x[static_cast<Eigen::Index>(i)];
  }
  return otherwise;
}

void StiffnessCommand::AddTo(CLI::App* command) {
  pressed.AddTo(command);
  command->add_flag("--tilt", tilt, "Also find the angle by which A is tilted");
  command
      ->add_option("--tilt-axis", tilt_axis,
                   "Axis of the tilt, through A's origin (default: across --direction)")
      ->type_name("x,y,z");
  command->add_option("--stiffness", stiffness, "k_V [N/m^3] if it is known; then only p0 is found")
      ->type_name("K");
  command->add_flag("--fit-offset", baseline.offset, "Also find a constant offset of the force");
  command->add_flag(
      "--fit-drift", baseline.drift,
      "Also find a drift of the force: a line over the column time, or over the rows");
}

// What is known of the sensor's own part in the force.
void AddBaselineEstimates(const identify::LeastSquaresFit& fit,
                          const identify::BaselineUnknowns& baseline,
                          std::vector<ParameterEstimate>* estimates) {
  if (baseline.offset) {
    estimates->push_back(EstimateOf(fit, identify::kForceOffset, "N", "constant beside the law"));
  }
  if (baseline.drift) {
    estimates->push_back(EstimateOf(fit, identify::kForceDrift, "N", "first to last row"));
  }
}

identify::PressPath StiffnessCommand::Path() const {
  identify::PressPath path = pressed.Path();
  path.tilt_axis_W = tilt_axis.empty() ? path.direction_W.unitOrthogonal()
                                       : ParseDirection(tilt_axis, "--tilt-axis");
  return path;
}

Identified StiffnessCommand::Run(const IdentifyArguments& arguments) const {
  arguments.CheckOutputs(pressed.solids);
  arguments.RefuseIdleBase();
  const identify::FitOptions options = arguments.Checked();
  if (stiffness && !(*stiffness > 0.0)) {
    throw InvalidInput(fmt::format("--stiffness {}: must be positive", *stiffness));
  }
  std::vector<std::string> notes;
  const identify::PressData data = identify::ReadPress(arguments.data.Source(), &notes);
  const Progress progress;
  const PressSolids bodies = pressed.Read();
  const identify::Press press(bodies.A, bodies.B, Path(), pressed.CheckedTolerance());

  Identified identified("stiffness");
  const std::string& file = arguments.data.file;
  const identify::LeastSquaresFit volumetric =
      identify::FitVolumetric(data, press, {stiffness, tilt, baseline}, options, file);
  const identify::LeastSquaresFit hertz = identify::FitHertz(data, options, file, baseline);
  AddVolumetric(volumetric, &identified);
  FitReport& report = identified.report;
  std::vector<ParameterEstimate> hertz_estimates = {
      EstimateOf(hertz, identify::kHertzStiffness, "N/m^1.5", "Boos 2011, Eq. (3.5)"),
      EstimateOf(hertz, identify::kContactPoint, "m", "Boos 2011, Eq. (3.5)")};
  AddBaselineEstimates(hertz, baseline, &hertz_estimates);
  report.AddModel("hertz", hertz, hertz_estimates);
  const double magnitude = data.force.cwiseAbs().maxCoeff();
  const char* const cure = baseline.offset || baseline.drift ? "" : "--fit-offset or --fit-drift";
  report.AddResidualTest("volumetric", volumetric, data.position, magnitude, true, cure);
  // Hertz's law is there to compare with: where it is the worse one, that is said anyway.
  const bool hertz_counts = hertz.aic < volumetric.aic;
  report.AddResidualTest("hertz", hertz, data.position, magnitude, hertz_counts, cure);
  AddComparison(volumetric, hertz, &report);
  if (tilt) AddWedge(SizeOfCylinder(bodies.A), data, press, volumetric, &report);
  if (!press.converged()) {
    report.MarkNotConverged();
    report.AddNote("volumes did not all reach the tolerance; loosen --tol");
  }
  report.AddNotes(notes);
  report.AddNotes(bodies.notes);
  AddPlot(data, press, volumetric, hertz, &identified);
  return identified;
}

void StiffnessCommand::AddVolumetric(const identify::LeastSquaresFit& fit,
                                     Identified* identified) const {
  std::vector<ParameterEstimate> estimates;
  if (!stiffness) {
    estimates.push_back(
        EstimateOf(fit, identify::kStiffness, "N/m^3", "Boos 2011, Eqs. (3.1)-(3.4)"));
  }
  estimates.push_back(EstimateOf(fit, identify::kContactPoint, "m", "Boos 2011, Eq. (3.3)"));
  if (tilt)
    estimates.push_back(EstimateOf(fit, identify::kTilt, "rad", "Boos 2011, Eqs. (3.19)-(3.21)"));
  AddBaselineEstimates(fit, baseline, &estimates);
  for (const ParameterEstimate& estimate : estimates) identified->report.Add(estimate);
  identified->report.AddModel("volumetric", fit, estimates);
  identified->contact["normal"] = {
      {"law", "volumetric"},
      {"stiffness", ValueOf(fit, identify::kStiffness, stiffness.value_or(0.0))}};
  const Eigen::MatrixXd correlations = fit.Correlations();
  constexpr double kNearlyOne = 0.99;
  if (tilt && !stiffness && std::abs(correlations(1, 2)) > kNearlyOne) {
    identified->report.AddNote(
        "stiffness and tilt are hard to tell apart (see their correlation): a wedge shows little "
        "more than k_V/tan(tilt)^1.5; give --stiffness, or press until the whole face is in");
  }
}

void StiffnessCommand::AddComparison(const identify::LeastSquaresFit& volumetric,
                                     const identify::LeastSquaresFit& hertz,
                                     FitReport* report) const {
  // A difference of 2 is the customary bound of what speaks for a model (Burnham & Anderson 2002).
  constexpr double kClear = 2.0;
  const double difference = hertz.aic - volumetric.aic;
  const char* const better = difference > 0.0 ? "volumetric" : "hertz";
  const bool clear = std::abs(difference) > kClear;
  report->AddPart("better_model", clear ? Json(better) : Json(nullptr),
                  fmt::format("{:<22}{:>14} {} (AIC less by {:.3g})\n", "better model",
                              clear ? better : "neither", clear ? "" : "is clearly better",
                              std::abs(difference)));
  if (clear && difference < 0.0) {
    report->AddNote(
        "Hertz's law fits better; the volumetric stiffness then depends on the range of the forces "
        "(Boos 2011, Section 3.3.1): fit it over those you will have");
  }
}

// What the formula of Boos 2011 says of a cylinder on its flat end, and how far it holds.
void StiffnessCommand::AddWedge(const std::optional<CylinderSize>& cylinder,
                                const identify::PressData& data, const identify::Press& press,
                                const identify::LeastSquaresFit& fit, FitReport* report) const {
  const identify::PressPath path = Path();
  const double angle = std::abs(ValueOf(fit, identify::kTilt, 0.0));
  const bool along = path.X_WA.Rotation().col(2).cross(path.direction_W).norm() < 1e-12;
  const bool plane = pressed.solids.size() == 1 &&
                     path.X_WB.Rotation().col(2).cross(path.direction_W).norm() < 1e-12;
  if (!cylinder || !along || !plane || !(angle > 0.0)) {
    report->AddNote(
        "the wedge formula of Boos 2011, Eq. (3.19), is for a cylinder along --direction on the "
        "half-space; the volumes here are computed from the solids and need no formula");
    return;
  }
  const identify::CylinderWedge wedge(cylinder->radius, angle);
  const double limit = wedge.max_depth() * std::cos(angle);  // along the normal of the plane
  const double reached = data.position.maxCoeff() - fit.x[0];
  const double depth = std::min(limit, reached);
  const double formula = wedge.Volume(std::min(depth / std::cos(angle), wedge.max_depth()));
  const double ours = press.At(angle).At(depth).volume;
  const bool inside = reached <= limit;
  report->AddPart("wedge", {{"depth_limit", limit},
                            {"depth_reached", reached},
                            {"within", inside},
                            {"formula_over_volume_less_1", formula / ours - 1.0}});
  report->AddNote(fmt::format(
      "the wedge formula (Boos 2011, Eq. (3.19)) holds to a depth of {:.6g} m, where the whole end "
      "is in (2 r sin(tilt)); the data reach {:.6g} m, {}. At {:.6g} m it differs from the "
      "computed "
      "volume by {:.1e} of it",
      limit, reached, inside ? "within it" : "beyond it: there only the computed volume holds",
      depth, formula / ours - 1.0));
}

void StiffnessCommand::AddPlot(const identify::PressData& data, const identify::Press& press,
                               const identify::LeastSquaresFit& volumetric,
                               const identify::LeastSquaresFit& hertz,
                               Identified* identified) const {
  constexpr int kPoints = 200;
  const Eigen::VectorXd line =
      Eigen::VectorXd::LinSpaced(kPoints, data.position.minCoeff(), data.position.maxCoeff());
  FitPlot plot("Quasi-static press");
  plot.AddPanel("position [m]", "force [N]");
  plot.AddMarks("measured", data.position, data.force);
  // The drift goes with time, not along this axis.
  const auto offset = [](const identify::LeastSquaresFit& fit) {
    return ValueOf(fit, identify::kForceOffset, 0.0);
  };
  const Eigen::VectorXd force = identify::VolumetricForce(
      line, press, ValueOf(volumetric, identify::kStiffness, stiffness.value_or(0.0)),
      volumetric.x[0], ValueOf(volumetric, identify::kTilt, 0.0));
  plot.AddLine("volumetric", line, force.array() + offset(volumetric));
  const Eigen::VectorXd of_hertz = identify::HertzForce(line, hertz.x[1], hertz.x[0]);
  plot.AddLine("Hertz", line, of_hertz.array() + offset(hertz));
  // Residuals of fits are model minus measurement.
  plot.AddResiduals("volumetric", data.position, -volumetric.residuals, volumetric.x.size());
  plot.AddResiduals("Hertz", data.position, -hertz.residuals, hertz.x.size());
  identified->plot = std::move(plot);
}

}  // namespace

void AddIdentifyStiffness(CLI::App* identify, ExitStatus* status) {
  AddIdentify<StiffnessCommand>(identify, status, "stiffness",
                                "Volumetric and Hertz's stiffness from a slow press",
                                kIdentifyStiffnessFooter);
}

}  // namespace volcontact::tool
