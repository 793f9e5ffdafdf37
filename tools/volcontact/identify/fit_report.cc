#include "identify/fit_report.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/table.h"
#include "identify/option_names.h"
#include "volcontact/identify/statistics.h"

namespace volcontact::tool {
namespace {

Json EstimateJson(const ParameterEstimate& parameter) {
  const identify::Estimate& e = parameter.estimate;
  Json json = {{"value", e.value},
               {"unit", parameter.unit},
               {"standard_error", NumberJson(e.standard_error)}};
  json["interval"] = std::isfinite(e.half_width)
                         ? Json{e.value - e.half_width, e.value + e.half_width}
                         : Json(nullptr);
  if (e.bootstrap) {
    json["bootstrap"] = {{"standard_error", e.bootstrap->standard_error},
                         {"interval", {e.bootstrap->low, e.bootstrap->high}}};
  }
  json["source"] = parameter.source;
  return json;
}

std::string EstimateLine(const ParameterEstimate& parameter) {
  const identify::Estimate& e = parameter.estimate;
  std::string line = fmt::format("{:<22}{:>14.7g} ", parameter.name, e.value);
  if (std::isfinite(e.half_width)) {
    line += fmt::format("+- {:<9.2g} [{:.6g}, {:.6g}]", e.standard_error, e.value - e.half_width,
                        e.value + e.half_width);
  } else {
    line += "(no error: too few data)";
  }
  line += fmt::format(" {}   {}\n", parameter.unit, parameter.source);
  if (e.bootstrap) {
    line += fmt::format("{:<22}{:>14} +- {:<9.2g} [{:.6g}, {:.6g}]\n", "", "bootstrap",
                        e.bootstrap->standard_error, e.bootstrap->low, e.bootstrap->high);
  }
  return line;
}

Json MatrixJson(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(row);
  }
  return rows;
}

std::string CorrelationLines(const identify::LeastSquaresFit& fit) {
  const Eigen::MatrixXd correlations = fit.Correlations();
  std::string text;
  for (Eigen::Index i = 0; i < fit.x.size(); ++i) {
    for (Eigen::Index j = i + 1; j < fit.x.size(); ++j) {
      text += fmt::format("  correlation of {} and {}: {:.3f}\n",
                          fit.names[static_cast<std::size_t>(i)],
                          fit.names[static_cast<std::size_t>(j)], correlations(i, j));
    }
  }
  return text;
}

}  // namespace

ParameterEstimate EstimateOf(const identify::LeastSquaresFit& fit, const std::string& name,
                             const std::string& unit, const std::string& source) {
  return {name, unit, fit.EstimateOf(name), source};
}

void FitReport::Add(const ParameterEstimate& estimate) {
  parameters_[estimate.name] = EstimateJson(estimate);
  table_ += EstimateLine(estimate);
}

void FitReport::AddUndetermined(const std::string& name, const std::string& unit,
                                const std::string& why) {
  const std::string reason = WithOptions(why);
  parameters_[name] = {{"value", nullptr}, {"unit", unit}, {"undetermined", reason}};
  table_ += fmt::format("{:<22}{:>14} {}\n", name, "undetermined:", reason);
}

void FitReport::AddDerived(const std::string& key, double value, const std::string& unit,
                           const std::string& source) {
  derived_[key] = {{"value", NumberJson(value)}, {"unit", unit}, {"source", source}};
  table_ += fmt::format("{:<22}{:>14.7g} {}   {}\n", key, value, unit, source);
}

void FitReport::AddModel(const std::string& name, const identify::LeastSquaresFit& fit,
                         const std::vector<ParameterEstimate>& estimates) {
  converged_ = converged_ && fit.converged;
  Json parameters = Json::object();
  models_table_ +=
      fmt::format("\n{}: {} measurements, residuals of {:.3g} rms, AIC {:.1f}{}\n", name,
                  fit.residuals.size(), fit.Rms(), fit.aic, fit.converged ? "" : ", NOT CONVERGED");
  for (const ParameterEstimate& estimate : estimates) {
    parameters[estimate.name] = EstimateJson(estimate);
    models_table_ += "  " + EstimateLine(estimate);
  }
  models_table_ += CorrelationLines(fit);
  models_[name] = {{"parameters", parameters},
                   {"names", fit.names},
                   {"correlations", MatrixJson(fit.Correlations())},
                   {"measurements", fit.residuals.size()},
                   {"degrees_of_freedom", fit.degrees_of_freedom},
                   {"rms", fit.Rms()},
                   {"noise", fit.scale},
                   {"aic", fit.aic},
                   {"converged", fit.converged}};
  if (fit.bootstrap_failures > 0) {
    AddNote(fmt::format("{}: {} resamplings of the bootstrap had no answer and were left out", name,
                        fit.bootstrap_failures));
  }
}

void FitReport::AddResidualTest(const std::string& model, const identify::LeastSquaresFit& fit,
                                const Eigen::VectorXd& key, double magnitude, bool noted,
                                const std::string& options) {
  const identify::ResidualStructure structure =
      identify::TestResiduals(fit.residuals, key, magnitude);
  models_[model]["residuals"] = {{"neighbour_correlation", structure.correlation},
                                 {"significance", structure.significance},
                                 {"structure", structure.found}};
  if (!structure.found || !noted) return;
  AddNote(fmt::format(
      "WARNING: the residuals of the {} fit are not noise: neighbours correlate by {:.2f}, {:.0f} "
      "standard errors. Its parameters may be off by much more than their errors say: an offset or "
      "drift of the sensor, or a law that does not fit; look at --plot{}",
      model, structure.correlation, structure.significance,
      options.empty() ? "" : ", and try " + options));
}

void FitReport::AddPart(const std::string& key, Json part, const std::string& text) {
  json_[key] = std::move(part);
  if (!text.empty()) table_ += text;
}

void FitReport::AddNotes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) AddNote(note);
}

void FitReport::AddNote(const std::string& note) { notes_.push_back(WithOptions(note)); }

Json FitReport::ToJson() const {
  Json json = json_;
  json["parameters"] = parameters_;
  json["derived"] = derived_;
  json["models"] = models_;
  json["converged"] = converged_;
  json["notes"] = notes_;
  return json;
}

std::string FitReport::ToTable() const {
  std::string text = table_ + models_table_;
  if (!notes_.empty()) text += '\n';
  for (const std::string& note : notes_)
    text += fmt::format("note: {}\n", Shown(note, kLongestValue));
  return text;
}

}  // namespace volcontact::tool
