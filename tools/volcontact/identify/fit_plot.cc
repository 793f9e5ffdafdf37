#include "identify/fit_plot.h"

#include <fmt/format.h>

#include <vector>

#include "cli/python_script.h"
#include "plot_fit_script.h"

namespace volcontact::tool {
namespace {

Json NumbersJson(const Eigen::VectorXd& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

}  // namespace

void FitPlot::AddPanel(const std::string& x_label, const std::string& y_label) {
  json_["panels"].push_back({{"x", x_label}, {"y", y_label}, {"series", Json::array()}});
}

void FitPlot::AddSeries(const char* style, const std::string& label, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& y) {
  json_["panels"].back()["series"].push_back(
      {{"style", style}, {"label", label}, {"x", NumbersJson(x)}, {"y", NumbersJson(y)}});
}

void FitPlot::AddMarks(const std::string& label, const Eigen::VectorXd& x,
                       const Eigen::VectorXd& y) {
  AddSeries("marks", label, x, y);
}

void FitPlot::AddLine(const std::string& label, const Eigen::VectorXd& x,
                      const Eigen::VectorXd& y) {
  AddSeries("line", label, x, y);
}

std::string FitPlot::Draw(const std::string& file) const {
  const std::string input = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
  switch (RunPythonScript(kPlotFitScript, {file}, input)) {
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
      "{}: cannot be drawn; check that the folder exists and the name ends in .svg, .png or .pdf",
      file);
}

}  // namespace volcontact::tool
