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

/// Whether the residuals of a fit follow each other as noise would not.
struct ResidualStructure {
  double correlation = 0.0;   ///< of neighbours: Σ r_i r_{i+1} / Σ r_i²
  double significance = 0.0;  ///< in its standard errors for noise, 1/√n
  /// Too much for noise (beyond 4 standard errors), in residuals that are more than rounding of the
  /// `magnitude`: a law that does not fit, an offset or drift. The fit's errors are then too small.
  bool found = false;
};

/// The greater of the correlations in the order of the residuals and in that of `key`, which has
/// their length. Linear in n log n.
VOLCONTACT_EXPORT ResidualStructure TestResiduals(const Eigen::VectorXd& residuals,
                                                  const Eigen::VectorXd& key, double magnitude);

/// The median of at least one value; of an even number, the mean of the two in the middle.
VOLCONTACT_EXPORT double Median(std::vector<double> values);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
