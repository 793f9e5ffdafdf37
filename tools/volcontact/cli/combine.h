// The mean of estimates from several runs.
#pragma once

#include <Eigen/Core>

namespace volcontact::tool {

struct CombinedEstimate {
  double value = 0.0;
  double standard_error = 0.0;
  double half_width = 0.0;  ///< of the 95 % confidence interval
  /// The runs scatter by more than their own errors allow (χ² test at 1 %): the error is then that
  /// of the scatter.
  bool scattered = false;
};

/// The mean of at least one estimate, weighted by the inverse squares of their errors. Errors are
/// not taken to be less than rounding.
CombinedEstimate Combine(const Eigen::VectorXd& values, const Eigen::VectorXd& errors);

}  // namespace volcontact::tool
