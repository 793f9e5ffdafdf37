// Nonlinear least squares with what it takes to judge the result: standard errors and correlations
// from the Jacobian, robust loss, bootstrap.
//
// The minimiser is the Levenberg-Marquardt method of Eigen (MINPACK's), in parameters scaled by the
// columns of the Jacobian: they may differ by many orders of magnitude.
//
// Component volcontact::identify. Functions keep no state: any thread, as far as what they
// evaluate allows.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/identify/shared_vectors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// A fit problem: residuals, model minus measurement, and their derivatives.
struct LeastSquaresProblem {
  using Evaluate = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd* residuals,
                                      Eigen::MatrixXd* jacobian)>;

  std::vector<std::string> names;  ///< of the parameters
  Eigen::VectorXd start;
  Eigen::Index observations = 0;
  /// Fills `residuals` and, unless it is null, `jacobian`, both of the right size.
  Evaluate evaluate;
  /// Size of the measured values, which sets the part of the residuals that may be rounding.
  double magnitude = 1.0;
};

/// Residuals without derivatives.
using ResidualFunction = std::function<Eigen::VectorXd(const Eigen::VectorXd& x)>;

/// Evaluates with derivatives by central differences of the given steps, accurate to about the
/// square of step over parameter.
VOLCONTACT_EXPORT LeastSquaresProblem::Evaluate WithNumericalJacobian(ResidualFunction residuals,
                                                                      Eigen::VectorXd steps);

/// The loss that is summed for a residual r: r², or Huber's loss, which grows linearly for
/// outliers.
enum class Loss { kSquared, kHuber };

/// Options of a fit.
struct FitOptions {
  Loss loss = Loss::kSquared;
  int bootstrap = 0;  ///< number of resamplings, 0 for none
};

/// The 2.5 % and 97.5 % quantiles and the spread of a parameter over the resamplings.
struct BootstrapEstimate {
  double standard_error = 0.0, low = 0.0, high = 0.0;
};

/// A parameter with its errors, all in its unit.
struct Estimate {
  double value = 0.0;
  double standard_error = 0.0;  ///< infinite if the data do not determine it
  double half_width = 0.0;      ///< of the 95 % confidence interval
  std::optional<BootstrapEstimate> bootstrap;
};

/// The parameters at the minimum, in their SI units, with their errors.
struct VOLCONTACT_EXPORT LeastSquaresFit {
  std::vector<std::string> names;
  Eigen::VectorXd x;
  Eigen::VectorXd residuals;
  /// Covariance of the parameters: s² (JᵀJ)⁻¹ with s² = Σr²/(n − p), for Huber's loss that of its
  /// M-estimator. Zero where n = p.
  Eigen::MatrixXd covariance;
  double scale = 0.0;                   ///< s, of the residuals' noise; robust with Huber's loss
  Eigen::Index degrees_of_freedom = 0;  ///< n − p
  double aic = 0.0;  ///< n log(Σr²/n) + 2 (p + 1); smaller is better, at one set of data
  bool converged = false;
  std::vector<BootstrapEstimate> bootstrap;  ///< one a parameter, if asked for
  int bootstrap_failures = 0;                ///< resamplings without an answer

  /// Root of the mean square of the residuals, in their unit.
  double Rms() const;
  /// Standard error of parameter i; infinite if n = p.
  double StandardError(Eigen::Index i) const;
  /// Half the width of the 95 % confidence interval, from Student's distribution.
  double HalfWidth(Eigen::Index i) const;
  /// The parameter of this name. Throws std::out_of_range where there is none.
  Estimate EstimateOf(const std::string& name) const;
  /// Correlations of all parameters, in [−1, 1]; the identity if n = p.
  Eigen::MatrixXd Correlations() const;
};

/// The derivative of a problem's minimum by parameters that it holds fixed, one column each:
/// −(JᵀJ)⁻¹ Jᵀ ∂r/∂p, for residuals r with the derivatives `by_fixed` ∂r/∂p at the minimum x, to
/// first order and with all weights one. Zero for parameters that the data do not determine.
VOLCONTACT_EXPORT Eigen::MatrixXd ShiftByFixed(const LeastSquaresProblem& problem,
                                               const Eigen::VectorXd& x,
                                               const Eigen::MatrixXd& by_fixed);

/// Adds the errors that follow from parameters that were held fixed, with this covariance, to the
/// fit's errors: S C Sᵀ, S the shift by them. The resamplings of the data do not include them;
/// their spread and quantiles widen by as much.
VOLCONTACT_EXPORT void AddFixedErrors(const Eigen::MatrixXd& shift,
                                      const Eigen::MatrixXd& covariance, LeastSquaresFit* fit);

/// Minimises Σ r². With Huber's loss, by reweighting, residuals beyond 1.345 times a robust scale
/// (from the median of their size) count linearly (Huber 1981). The bootstrap resamples the
/// observations with a fixed seed, so answers repeat. Throws InvalidInput, beginning with `where`,
/// if there are fewer observations than parameters, or if the data leave a parameter, or a
/// combination of parameters, undetermined; the message names them. A minimum that is not reached
/// is not an error: see `converged`. Cost: about 20 evaluations with derivatives, and again for
/// each resampling.
VOLCONTACT_EXPORT LeastSquaresFit FitLeastSquares(const LeastSquaresProblem& problem,
                                                  const FitOptions& options,
                                                  const std::string& where);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
