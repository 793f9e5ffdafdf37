// Statistics of estimates: their median, and the mean of several runs.
//
// Component volcontact::identify. Any thread.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/identify/shared_vectors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// The mean of a parameter over several runs, in the unit of the parameter.
struct CombinedEstimate {
  double value = 0.0;
  double standard_error = 0.0;
  double half_width = 0.0;  ///< of the 95 % confidence interval
  /// The runs scatter by more than their own errors allow (χ² test at 1 %): the error is then that
  /// of the scatter.
  bool scattered = false;
};

/// The mean of at least one estimate, weighted by the inverse squares of their standard errors,
/// which are not taken to be less than rounding. Both vectors have one length.
VOLCONTACT_EXPORT CombinedEstimate Combine(const Eigen::VectorXd& values,
                                           const Eigen::VectorXd& errors);

/// The median of at least one value; of an even number, the mean of the two in the middle.
VOLCONTACT_EXPORT double Median(std::vector<double> values);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
