// Identification: fits of parameters to measurements. The package makes result objects of the
// dictionaries that these functions return.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "input.h"
#include "volcontact/identify/damping_fit.h"
#include "volcontact/identify/friction_parameters.h"
#include "volcontact/identify/restitution_fit.h"
#include "volcontact/identify/statistics.h"
#include "volcontact/identify/stiffness_fit.h"
#include "volcontact/math/error.h"

namespace volcontact::python {
namespace {

using identify::Estimate;
using identify::FitOptions;
using identify::LeastSquaresFit;
using identify::MeasurementSource;

FitOptions OptionsOf(const std::string& loss, py::handle bootstrap) {
  FitOptions options;
  if (loss == "huber") {
    options.loss = identify::Loss::kHuber;
  } else if (loss != "squared") {
    throw InvalidInput("loss is '" + loss + "'; it must be 'squared' or 'huber'");
  }
  const long count = Integer(bootstrap, "bootstrap");
  if (count < 0 || count > 1000000) {
    throw InvalidInput("bootstrap is " + std::to_string(count) +
                       "; it must be a number of resamplings, 0 for none, a million at most");
  }
  options.bootstrap = static_cast<int>(count);
  return options;
}

py::dict EstimateDict(const Estimate& estimate) {
  py::dict result;
  result["value"] = estimate.value;
  result["standard_error"] = estimate.standard_error;
  result["half_width"] = estimate.half_width;
  result["bootstrap"] = py::none();
  if (estimate.bootstrap) {
    const identify::BootstrapEstimate& b = *estimate.bootstrap;
    result["bootstrap"] = py::make_tuple(b.standard_error, b.low, b.high);
  }
  return result;
}

py::dict FitDict(const LeastSquaresFit& fit) {
  py::dict result, estimates;
  for (const std::string& name : fit.names) {
    estimates[py::str(name)] = EstimateDict(fit.EstimateOf(name));
  }
  result["estimates"] = estimates;
  result["covariance"] = fit.covariance;
  result["correlations"] = fit.Correlations();
  result["residuals"] = fit.residuals;
  result["scale"] = fit.scale;
  result["rms"] = fit.Rms();
  result["degrees_of_freedom"] = fit.degrees_of_freedom;
  result["aic"] = fit.aic;
  result["converged"] = fit.converged;
  result["bootstrap_failures"] = fit.bootstrap_failures;
  return result;
}

// A fit to a press, with what its residuals say of it.
py::dict PressFitDict(const LeastSquaresFit& fit, const identify::PressData& data) {
  py::dict result = FitDict(fit);
  const identify::ResidualStructure structure =
      identify::TestResiduals(fit.residuals, data.position, data.force.cwiseAbs().maxCoeff());
  result["neighbour_correlation"] = structure.correlation;
  result["significance"] = structure.significance;
  result["structure"] = structure.found;
  return result;
}

// A press with what it refers to.
std::shared_ptr<identify::Press> MakePress(const Solid& A, const Solid& B, py::handle X_WA,
                                           py::handle X_WB, py::handle direction,
                                           py::handle tilt_axis, py::handle tolerance) {
  const auto unit = [](py::handle value, const char* name) -> Eigen::Vector3d {
    const Eigen::Vector3d v = Vector3(value, name);
    if (v.norm() > 0.0) return v.normalized();
    throw InvalidInput(std::string(name) + " is zero; it must be a direction");
  };
  const auto pose = [](py::handle value, const char* name) {
    const Rows<Pose> poses = Poses(value, name);
    if (poses.shape.empty()) return poses[0];
    throw InvalidInput(std::string(name) + ": one pose is needed, not an array of them");
  };
  identify::PressPath path;
  path.X_WA = pose(X_WA, "X_WA");
  path.X_WB = pose(X_WB, "X_WB");
  path.direction_W = unit(direction, "direction");
  path.tilt_axis_W = tilt_axis.is_none() ? Eigen::Vector3d(path.direction_W.unitOrthogonal())
                                         : unit(tilt_axis, "tilt_axis");
  return std::make_shared<identify::Press>(A, B, path, Real(tolerance, "tolerance"));
}

identify::PressData PressDataOf(py::handle position, py::handle force, py::handle progress) {
  identify::PressData data{Column(position, "position"), Column(force, "force")};
  if (!progress.is_none()) data.progress = Column(progress, "progress");
  if (data.progress.size() > 0 && data.progress.size() != data.position.size()) {
    throw InvalidInput("progress has shape " + Text({data.progress.size()}) + " and position " +
                       Text({data.position.size()}) + "; they must be of one length");
  }
  if (data.position.size() == data.force.size()) return data;
  throw InvalidInput("position has shape " + Text({data.position.size()}) + " and force " +
                     Text({data.force.size()}) + "; they must be of one length");
}

py::dict FitVolumetric(py::handle position, py::handle force, py::handle progress,
                       const identify::Press& press, const std::optional<double>& stiffness,
                       bool tilt, bool offset, bool drift, const std::string& loss,
                       py::handle bootstrap) {
  if (stiffness && !(*stiffness > 0.0 && std::isfinite(*stiffness))) {
    throw InvalidInput("stiffness is " + std::to_string(*stiffness) + "; it must be positive");
  }
  const identify::PressData data = PressDataOf(position, force, progress);
  const FitOptions options = OptionsOf(loss, bootstrap);
  LeastSquaresFit fit;
  {
    const py::gil_scoped_release release;
    fit = identify::FitVolumetric(data, press, {stiffness, tilt, {offset, drift}}, options,
                                  "stiffness");
  }
  py::dict result = PressFitDict(fit, data);
  result["volumes_converged"] = press.converged();
  return result;
}

py::dict FitHertz(py::handle position, py::handle force, py::handle progress, bool offset,
                  bool drift, const std::string& loss, py::handle bootstrap) {
  const identify::PressData data = PressDataOf(position, force, progress);
  return PressFitDict(
      identify::FitHertz(data, OptionsOf(loss, bootstrap), "hertz", {offset, drift}), data);
}

identify::ImpactData ImpactOf(const py::dict& run) {
  identify::ImpactData data;
  data.label = run["label"].cast<std::string>();
  data.place = "run " + data.label;
  data.position = Column(run["position"], "position");
  data.velocity = Column(run["velocity"], "velocity");
  data.force = Column(run["force"], "force");
  if (data.position.size() != data.velocity.size() || data.position.size() != data.force.size()) {
    throw InvalidInput(data.place + ": position, velocity and force have lengths " +
                       Text({data.position.size(), data.velocity.size(), data.force.size()}) +
                       "; they must be one");
  }
  return data;
}

py::dict ImpactDict(const identify::ImpactDamping& impact) {
  py::dict result = FitDict(impact.fit);
  result["label"] = impact.label;
  result["factor"] = impact.factor;
  result["factor_error"] = impact.factor_error;
  result["contact_point"] = impact.contact_point;
  result["impact_speed"] = impact.impact_speed;
  result["damping"] = impact.damping;
  result["damping_error"] = impact.damping_error;
  return result;
}

py::dict FitDamping(const py::list& runs, const identify::Press& press, double stiffness,
                    const std::optional<double>& contact_point,
                    const std::optional<double>& impact_speed, const std::string& loss,
                    py::handle bootstrap) {
  for (const double value : {stiffness, impact_speed.value_or(1.0)}) {
    if (value > 0.0 && std::isfinite(value)) continue;
    throw InvalidInput("stiffness and impact_speed must be positive");
  }
  if (runs.empty()) throw InvalidInput("runs is empty; give at least one impact");
  const FitOptions options = OptionsOf(loss, bootstrap);
  std::vector<identify::ImpactData> data;
  for (const py::handle run : runs) data.push_back(ImpactOf(run.cast<py::dict>()));
  std::vector<identify::ImpactDamping> impacts;
  {
    const py::gil_scoped_release release;
    const identify::Press::Tilted straight = press.At(0.0);
    for (const identify::ImpactData& impact : data) {
      impacts.push_back(identify::FitDamping(impact, straight,
                                             {stiffness, contact_point, impact_speed}, options));
    }
  }
  const identify::DampingRelation relation = identify::Relate(impacts);
  py::dict result, estimates;
  const std::string why = identify::ReasonUndetermined(relation);
  if (why.empty()) {
    const identify::CombinedEstimate& d = relation.damping;
    estimates["damping"] = EstimateDict({d.value, d.standard_error, d.half_width, std::nullopt});
    estimates["restitution"] = EstimateDict(identify::RestitutionEstimate(d));
  }
  if (relation.exponent)
    estimates["exponent"] =
        EstimateDict(relation.exponent->EstimateOf(relation.exponent->names.front()));
  py::list each;
  for (const identify::ImpactDamping& impact : impacts) each.append(ImpactDict(impact));
  result["estimates"] = estimates;
  result["reason"] = why;
  result["scattered"] = relation.damping.scattered;
  result["impacts"] = each;
  return result;
}

identify::RestitutionModel ModelOf(const std::string& name) {
  using identify::RestitutionModel;
  if (name == "constant") return RestitutionModel::kConstant;
  if (name == "hunt_crossley") return RestitutionModel::kHuntCrossley;
  if (name == "azad_featherstone") return RestitutionModel::kAzadFeatherstone;
  throw InvalidInput("model is '" + name +
                     "'; known models: constant, hunt_crossley, azad_featherstone");
}

py::dict FitRestitution(const std::string& model, py::handle speed, py::handle restitution,
                        const std::string& loss, py::handle bootstrap) {
  const Eigen::VectorXd v = Column(speed, "speed"), e = Column(restitution, "restitution");
  if (v.size() != e.size()) {
    throw InvalidInput("speed has shape " + Text({v.size()}) + " and restitution " +
                       Text({e.size()}) + "; they must be of one length");
  }
  if (v.size() > 0 && !(v.minCoeff() > 0.0)) throw InvalidInput("speed must be positive");
  if (e.size() > 0 && !(e.minCoeff() >= 0.0))
    throw InvalidInput("restitution must not be negative");
  std::string why = identify::ReasonForNoRebound(e);
  if (!why.empty()) throw InvalidInput("restitution: no parameter is determined: " + why);
  const identify::RestitutionModel law = ModelOf(model);
  const LeastSquaresFit fit =
      identify::FitRestitution(law, v, e, OptionsOf(loss, bootstrap), "restitution");
  why = identify::ReasonUndetermined(law, fit.x[0], v, e);
  if (!why.empty()) throw InvalidInput("restitution: no parameter is determined: " + why);
  return FitDict(fit);
}

MeasurementSource SourceOf(const std::string& file, std::map<std::string, std::string> columns,
                           std::map<std::string, std::string> units,
                           const std::vector<std::string>& negated, bool skip_bad_rows) {
  return {
      file, std::move(columns), std::move(units), {negated.begin(), negated.end()}, skip_bad_rows};
}

py::dict ReadPressFile(const MeasurementSource& source) {
  std::vector<std::string> notes;
  const identify::PressData data = identify::ReadPress(source, &notes);
  py::dict result;
  result["position"] = data.position;
  result["force"] = data.force;
  result["progress"] = py::none();
  if (data.progress.size() > 0) result["progress"] = data.progress;
  result["notes"] = notes;
  return result;
}

py::dict ReadImpactsFile(const MeasurementSource& source) {
  std::vector<std::string> notes;
  py::list runs;
  for (const identify::ImpactData& impact : identify::ReadImpacts(source, &notes)) {
    py::dict run;
    run["label"] = impact.label;
    run["position"] = impact.position;
    run["velocity"] = impact.velocity;
    run["force"] = impact.force;
    runs.append(run);
  }
  py::dict result;
  result["runs"] = runs;
  result["notes"] = notes;
  return result;
}

py::dict ReadReboundsFile(const MeasurementSource& source) {
  std::vector<std::string> notes;
  const identify::Rebounds rebounds = identify::ReadRebounds(source, &notes);
  py::dict result;
  result["speed"] = rebounds.speed;
  result["restitution"] = rebounds.restitution;
  result["notes"] = notes;
  return result;
}

py::dict FitFrictionFile(const MeasurementSource& source,
                         const std::optional<double>& gyration_radius,
                         const std::string& experiment, const std::map<std::string, double>& known,
                         const std::string& loss, py::handle bootstrap) {
  const FitOptions options = OptionsOf(loss, bootstrap);
  identify::FrictionRuns runs;
  identify::FrictionParameters found;
  {
    const py::gil_scoped_release release;
    runs = identify::ReadFriction(source, gyration_radius, experiment);
    found = identify::FitFriction(runs, known, options, source.file);
  }
  if (found.found.empty()) {
    throw InvalidInput(source.file + ": no parameter is determined: " + found.Reasons());
  }
  py::dict result, estimates;
  for (const auto& [name, estimate] : found.found) {
    estimates[py::str(name)] = EstimateDict(estimate);
  }
  result["estimates"] = estimates;
  result["open"] = found.open;
  result["sliding_speed"] = found.sliding.speed;
  result["sliding_coefficient"] = found.sliding.coefficient;
  py::list slow;
  for (std::size_t k = 0; k < found.break_aways.size(); ++k) {
    const identify::FrictionRun& run = runs.slow[found.slow_runs[k]];
    slow.append(py::make_tuple(
        run.label, run.travel, run.coefficient,
        identify::BreakAwayCoefficient(
            run, found.break_aways[k],
            found.found.count("sigma2") != 0 ? found.found.at("sigma2").value : 0.0)));
  }
  result["slow"] = slow;
  std::vector<std::string> notes = runs.notes;
  notes.insert(notes.end(), found.notes.begin(), found.notes.end());
  result["notes"] = notes;
  return result;
}

}  // namespace

void BindIdentification(py::module_* module) {
  py::class_<identify::Press, std::shared_ptr<identify::Press>>(*module, "_Press")
      .def(py::init(&MakePress))
      .def("force", [](const identify::Press& self, py::handle position, double stiffness,
                       double contact_point, double tilt) {
        return identify::VolumetricForce(Column(position, "position"), self, stiffness,
                                         contact_point, tilt);
      });
  py::class_<MeasurementSource>(*module, "_Measurements").def(py::init(&SourceOf));
  module->def("_fit_volumetric", &FitVolumetric);
  module->def("_fit_hertz", &FitHertz);
  module->def("_hertz_force", [](py::handle position, double stiffness, double contact_point) {
    return identify::HertzForce(Column(position, "position"), stiffness, contact_point);
  });
  module->def("_fit_damping", &FitDamping);
  module->def("_fit_restitution", &FitRestitution);
  module->def("_restitution", [](const std::string& model, double parameter, py::handle speed) {
    const identify::RestitutionModel law = ModelOf(model);
    return Eigen::VectorXd(Column(speed, "speed").unaryExpr([&](double v) {
      return identify::Restitution(law, parameter, v);
    }));
  });
  module->def("_read_press", &ReadPressFile);
  module->def("_read_impacts", &ReadImpactsFile);
  module->def("_read_rebounds", &ReadReboundsFile);
  module->def("_fit_friction", &FitFrictionFile);
}

}  // namespace volcontact::python
