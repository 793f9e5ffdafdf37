// The seven parameters of the bristle friction from all friction experiments together: sliding
// gives mu_c and sigma2, with them break-away gives mu_s, sigma0 and sigma1, with them oscillations
// give tau_dwell and v_stribeck (Boos 2011, Sections 5.1 and 5.3).
//
// Component volcontact::identify. Functions of values: any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/forces/friction.h"
#include "volcontact/identify/friction_data.h"
#include "volcontact/identify/friction_fit.h"
#include "volcontact/identify/least_squares.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// The names of the parameters, in the order of BristleFriction.
inline constexpr const char* kFrictionNames[] = {"mu_s",   "mu_c",       "sigma0",   "sigma1",
                                                 "sigma2", "v_stribeck", "tau_dwell"};

/// The results of the experiments.
struct VOLCONTACT_EXPORT FrictionParameters {
  /// By name, in SI units: the parameters that the data determine. Errors include those of
  /// parameters that were found before and then held fixed. Parameters given as known count as
  /// exact.
  std::map<std::string, Estimate> found;
  /// By name: why the data do not determine it.
  std::map<std::string, std::string> open;

  Sliding sliding;
  std::vector<BreakAway> break_aways;
  /// For parameters that are means over break-aways: their errors for the value of sigma2 that was
  /// used.
  std::map<std::string, double> from_break_away;
  std::vector<std::size_t> slow_runs;  ///< of each break-away: the place of its run in `slow`
  std::optional<LeastSquaresFit> oscillation;
  BristleFriction oscillation_law;  ///< of that fit, with the parameters that were known

  std::vector<std::string> notes;  ///< runs left out, and what to know about the values

  /// The reasons of all that is open, each once.
  std::string Reasons() const;
};

/// Makes all fits that the runs allow. `known` are parameters by name, such as those of a contact
/// file, for parameters that the runs do not give. A run or an experiment that determines nothing
/// is not an error: see `open`. `where` begins the messages. Cost: that of the fits, seconds at
/// most.
VOLCONTACT_EXPORT FrictionParameters FitFriction(const FrictionRuns& runs,
                                                 const std::map<std::string, double>& known,
                                                 const FitOptions& options,
                                                 const std::string& where);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
