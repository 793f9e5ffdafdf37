// Plots of fits, drawn by a child process that runs matplotlib.
#pragma once

#include <Eigen/Core>
#include <string>

#include "cli/output.h"

namespace volcontact::tool {

/// A figure of panels below each other, each with the residuals of its fits, and a table of the
/// parameters.
class FitPlot {
 public:
  explicit FitPlot(std::string title) { json_["title"] = std::move(title); }

  bool empty() const { return json_["panels"].empty(); }

  /// Begins a panel; what follows belongs to it. Labels are "quantity [unit]", in SI units.
  void AddPanel(const std::string& x_label, const std::string& y_label);
  /// Measurements. Those without standard errors of their own get the scatter about the panel's
  /// first fit.
  void AddMarks(const std::string& label, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                const Eigen::VectorXd& standard_errors = {});
  void AddLine(const std::string& label, const Eigen::VectorXd& x, const Eigen::VectorXd& y);
  /// What a fit of so many parameters leaves of the measurements: measured less fitted, in y's
  /// unit.
  void AddResiduals(const std::string& label, const Eigen::VectorXd& x,
                    const Eigen::VectorXd& residuals, Eigen::Index parameters);

  /// Draws to a file, its kind by its extension (.svg, .png, .pdf), with the parameters of the
  /// answer (by name: value, unit, standard_error). Returns what went wrong, in one line, or
  /// nothing. Takes the first python3 on the PATH that has matplotlib.
  std::string Draw(const std::string& file, const Json& parameters) const;

 private:
  void AddSeries(const char* style, const std::string& label, const Eigen::VectorXd& x,
                 const Eigen::VectorXd& y);

  Json json_ = {{"panels", Json::array()}};
};

}  // namespace volcontact::tool
