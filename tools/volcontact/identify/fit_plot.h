// Plots of fits, drawn by a child process that runs matplotlib.
#pragma once

#include <Eigen/Core>
#include <string>

#include "cli/output.h"

namespace volcontact::tool {

/// A figure of panels side by side.
class FitPlot {
 public:
  explicit FitPlot(std::string title) { json_["title"] = std::move(title); }

  bool empty() const { return json_["panels"].empty(); }

  /// Begins a panel; the marks and lines that follow belong to it.
  void AddPanel(const std::string& x_label, const std::string& y_label);
  void AddMarks(const std::string& label, const Eigen::VectorXd& x, const Eigen::VectorXd& y);
  void AddLine(const std::string& label, const Eigen::VectorXd& x, const Eigen::VectorXd& y);

  /// Draws to a file, its kind by its extension (.svg, .png, .pdf). Returns what went wrong, in one
  /// line, or nothing. Takes the first python3 on the PATH that has matplotlib.
  std::string Draw(const std::string& file) const;

 private:
  void AddSeries(const char* style, const std::string& label, const Eigen::VectorXd& x,
                 const Eigen::VectorXd& y);

  Json json_ = {{"panels", Json::array()}};
};

}  // namespace volcontact::tool
