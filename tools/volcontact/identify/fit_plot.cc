#include "identify/fit_plot.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "cli/python_script.h"
#include "plot_scripts.h"

namespace volcontact::tool {
namespace {

Json NumbersJson(const Eigen::VectorXd& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

}  // namespace

void FitPlot::AddPanel(const std::string& x_label, const std::string& y_label) {
  json_["panels"].push_back(
      {{"x", x_label}, {"y", y_label}, {"series", Json::array()}, {"residuals", Json::array()}});
}

void FitPlot::AddSeries(const char* style, const std::string& label, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& y) {
  json_["panels"].back()["series"].push_back(
      {{"style", style}, {"label", label}, {"x", NumbersJson(x)}, {"y", NumbersJson(y)}});
}

void FitPlot::AddMarks(const std::string& label, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                       const Eigen::VectorXd& standard_errors) {
  AddSeries("marks", label, x, y);
  if (standard_errors.size() == 0) return;
  json_["panels"].back()["series"].back()["errors"] = NumbersJson(standard_errors);
}

void FitPlot::AddLine(const std::string& label, const Eigen::VectorXd& x,
                      const Eigen::VectorXd& y) {
  AddSeries("line", label, x, y);
}

void FitPlot::AddResiduals(const std::string& label, const Eigen::VectorXd& x,
                           const Eigen::VectorXd& residuals, Eigen::Index parameters) {
  const Eigen::Index freedom = residuals.size() - parameters;
  const double scatter =
      freedom > 0 ? std::sqrt(residuals.squaredNorm() / static_cast<double>(freedom)) : 0.0;
  json_["panels"].back()["residuals"].push_back({{"label", label},
                                                 {"x", NumbersJson(x)},
                                                 {"y", NumbersJson(residuals)},
                                                 {"scatter", scatter}});
}

std::string FitPlot::Draw(const std::string& file, const Json& parameters) const {
  Json figure = json_;
  figure["parameters"] = parameters;
  const std::string input = figure.dump(-1, ' ', false, Json::error_handler_t::replace);
  const ScriptResult result = RunPythonScript(kPlotScripts, {"plot_fit", file}, input);
  switch (result.end) {
    case ScriptEnd::kDone:
      return "";
    case ScriptEnd::kNoMatplotlib:
      return fmt::format(
          "{}: is not drawn: no python3 with matplotlib is on the PATH; install "
          "python3-matplotlib",
          file);
    case ScriptEnd::kFailed:
      break;
  }
  return fmt::format(
      "{}: cannot be drawn; check that the folder exists and the name ends in .svg, .png or .pdf{}",
      file, result.message.empty() ? "" : " (" + result.message + ")");
}

}  // namespace volcontact::tool
