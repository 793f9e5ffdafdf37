// The parameters of the bristle friction from friction experiments (Boos 2011, Sections 5.1, 5.3).
//
// Component volcontact::identify. Functions of values: any thread.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/forces/friction.h"
#include "volcontact/identify/friction_data.h"
#include "volcontact/identify/least_squares.h"
#include "volcontact/identify/shared_vectors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// Break-away of one run: sigma0, sigma1, mu_s, and where the run shows how friction falls
/// afterwards, mu_c and v_stribeck.
struct BreakAway {
  std::string label;
  LeastSquaresFit fit;
  bool falls = false;           ///< mu_c and v_stribeck are among the parameters
  double travel_at_peak = 0.0;  ///< dz of Boos 2011, Eq. (5.3) [m]
  Eigen::VectorXd by_sigma2;    ///< derivative of the fit's parameters by the given sigma2
};

/// Fits μ = min(σ0 d + σ1 v, μ_S C) + σ2 v to the run up to twice the travel of its break-away
/// (Boos 2011, Eqs. (5.3), (5.6), (5.7)). Where times are recorded and the whole run speaks clearly
/// for it, the bristle model instead, driven along the run without dwell: friction then falls from
/// μ_S to μ_C over v_S (Eqs. (4.9), (4.17), (4.37), (4.39)). `sigma2` is known from sliding, or
/// zero; the errors are for that value. Throws InvalidInput, beginning with the run's place, for a
/// run without travel, and for one that does not show a break-away: a straight line from rest fits
/// it about as well, or friction goes on rising afterwards.
VOLCONTACT_EXPORT BreakAway FitBreakAway(const FrictionRun& run, double sigma2,
                                         const FitOptions& options);

/// The coefficients that the fit of a run's break-away gives along it, for plots.
VOLCONTACT_EXPORT Eigen::VectorXd BreakAwayCoefficient(const FrictionRun& run,
                                                       const BreakAway& break_away, double sigma2);

/// μ = μ_C + σ2 v over the means of runs at constant speed (Boos 2011, Eqs. (5.9), (5.15)): mu_c,
/// sigma2. The coefficients are those of Eq. (5.6); with them, v is v_avg.
struct VOLCONTACT_EXPORT Sliding {
  Eigen::VectorXd speed, coefficient;  ///< of each run
  std::optional<LeastSquaresFit> fit;
  double r_squared = 0.0;
  std::string reason;  ///< why there is no fit; empty if there is one
  Eigen::Index rows = 0;
  Eigen::Index other_motion = 0;  ///< rows left out: C_v or C_ω is below 0.2
  Eigen::Index at_rest = 0;       ///< rows left out: they do not slide

  /// Rows left out and why, in words; empty if there are none.
  std::string LeftOut() const;
};

/// `where` begins the messages of the fit. Throws InvalidInput as FitLeastSquares does. Too few
/// runs or speeds are not an error: `reason` gives the reason.
VOLCONTACT_EXPORT Sliding FitSliding(const std::vector<FrictionRun>& runs,
                                     const FitOptions& options, const std::string& where);

/// The parameters that FitOscillation holds fixed, in the order of its covariance.
inline constexpr const char* kFixedNames[] = {"mu_s", "mu_c", "sigma0", "sigma1", "sigma2"};
using FixedCovariance = Eigen::Matrix<double, 5, 5>;

/// tau_dwell and v_stribeck from oscillations: the bristle model is driven along the measured
/// speeds and compared with the measured coefficients. The other parameters are known, with a
/// covariance that also enters the errors. Fits the logarithms: names log_tau_dwell,
/// log_v_stribeck. Throws InvalidInput if the data determine neither. Cost: some hundred
/// simulations of all runs.
VOLCONTACT_EXPORT LeastSquaresFit FitOscillation(const std::vector<FrictionRun>& runs,
                                                 const BristleFriction& known,
                                                 const FixedCovariance& known_covariance,
                                                 const FitOptions& options,
                                                 const std::string& where);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
