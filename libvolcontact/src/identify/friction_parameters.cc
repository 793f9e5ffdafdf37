#include "volcontact/identify/friction_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "volcontact/identify/statistics.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

using Eigen::Index;

// A parameter known to less than this share of itself is none.
constexpr double kWellKnown = 0.5;
// For dwell to show, stiction must exceed sliding by so many standard errors, and by this share.
constexpr double kDwellSignificance = 2.0, kLeastExcess = 0.02;

void Add(const std::string& name, const Estimate& estimate, FrictionParameters* parameters) {
  parameters->open.erase(name);
  parameters->found[name] = estimate;
}

void LeaveOpen(const std::string& name, const std::string& why, FrictionParameters* parameters) {
  if (parameters->found.count(name) == 0) parameters->open[name] = why;
}

void FindSliding(const FrictionRuns& runs, const FitOptions& options, const std::string& where,
                 FrictionParameters* parameters) {
  Sliding& sliding = parameters->sliding;
  try {
    sliding = FitSliding(runs.steady, options, where);
  } catch (const InvalidInput& error) {
    sliding.why_not = error.what();
  }
  const std::string left_out = sliding.LeftOut();
  if (!left_out.empty()) parameters->notes.push_back(left_out);
  for (const char* name : {"mu_c", "sigma2"}) {
    if (sliding.fit) {
      Add(name, sliding.fit->EstimateOf(name), parameters);
    } else {
      LeaveOpen(name, sliding.why_not, parameters);
    }
  }
  if (!sliding.fit) return;
  const Estimate& sigma2 = parameters->found["sigma2"];
  if (std::abs(sigma2.value) < sigma2.half_width) {
    parameters->notes.push_back(
        "viscous friction does not stand out from the scatter: sigma2 may be zero");
  }
}

// The mean of a parameter over the runs that have it.
std::optional<Estimate> MeanOf(const std::vector<BreakAway>& runs, const std::string& name,
                               std::vector<std::string>* notes) {
  std::vector<Estimate> estimates;
  for (const BreakAway& run : runs) {
    const std::vector<std::string>& names = run.fit.names;
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    estimates.push_back(run.fit.EstimateOf(name));
  }
  if (estimates.empty()) return std::nullopt;
  if (estimates.size() == 1) return estimates[0];
  const Index n = static_cast<Index>(estimates.size());
  Eigen::VectorXd values(n), errors(n);
  for (Index i = 0; i < n; ++i) {
    values[i] = estimates[static_cast<std::size_t>(i)].value;
    errors[i] = estimates[static_cast<std::size_t>(i)].standard_error;
  }
  const CombinedEstimate mean = Combine(values, errors);
  if (mean.scattered) {
    notes->push_back(name +
                     ": the runs scatter by more than their own errors; the error given is that of "
                     "the scatter");
  }
  return Estimate{mean.value, mean.standard_error, mean.half_width, std::nullopt};
}

void FindBreakAway(const FrictionRuns& runs, const FitOptions& options,
                   FrictionParameters* parameters) {
  const auto leave_open = [&](const std::string& why) {
    for (const char* name : {"mu_s", "sigma0", "sigma1"}) LeaveOpen(name, why, parameters);
  };
  if (runs.slow.empty()) {
    leave_open("there is no slow acceleration from rest in the data (experiment slow)");
    return;
  }
  const auto sliding = parameters->found.find("sigma2");
  const double sigma2 = sliding == parameters->found.end() ? 0.0 : sliding->second.value;
  for (std::size_t i = 0; i < runs.slow.size(); ++i) {
    // A run that shows no break-away leaves the rest as it is.
    try {
      parameters->break_aways.push_back(FitBreakAway(runs.slow[i], sigma2, options));
      parameters->slow_runs.push_back(i);
    } catch (const InvalidInput& error) {
      parameters->notes.push_back(std::string("slow run left out: ") + error.what());
      leave_open(error.what());
    }
  }
  // Steady runs say more of sliding than the end of a slow one.
  for (const char* name : {"mu_s", "mu_c", "sigma0", "sigma1", "v_stribeck"}) {
    if (parameters->found.count(name) > 0) continue;
    const auto mean = MeanOf(parameters->break_aways, name, &parameters->notes);
    if (mean) Add(name, *mean, parameters);
  }
}

// All but dwell and Stribeck's velocity, from the data or known before; else the name of the first
// that is missing.
std::optional<BristleFriction> LawBefore(const FrictionParameters& parameters,
                                         const std::map<std::string, double>& known,
                                         std::string* missing) {
  BristleFriction law{.sigma2 = 0.0};
  for (const auto& [name, value] : {std::pair{"mu_s", &law.mu_s},
                                    {"mu_c", &law.mu_c},
                                    {"sigma0", &law.sigma0},
                                    {"sigma1", &law.sigma1},
                                    {"sigma2", &law.sigma2}}) {
    const auto found = parameters.found.find(name);
    const auto given = known.find(name);
    if (found != parameters.found.end()) {
      *value = found->second.value;
    } else if (given != known.end()) {
      *value = given->second;
    } else if (value != &law.sigma2) {
      *missing = name;
      return std::nullopt;
    }
  }
  return law;
}

// Why stiction shows no growth and no fall, or nothing.
std::string WhyNoDwell(const FrictionParameters& parameters, const BristleFriction& law) {
  const double difference = law.mu_s - law.mu_c;
  double error = 0.0;
  for (const char* name : {"mu_s", "mu_c"}) {
    const auto found = parameters.found.find(name);
    if (found != parameters.found.end() && std::isfinite(found->second.standard_error)) {
      error = std::hypot(error, found->second.standard_error);
    }
  }
  if (difference > kDwellSignificance * error && difference > kLeastExcess * law.mu_c) return "";
  return fmt::format(
      "static and sliding friction hardly differ (mu_s - mu_c = {:.3g} +- {:.2g}): where stiction "
      "adds nothing its growth and its fall do not show",
      difference, error);
}

// A parameter from its logarithm, if that is known well enough.
void AddFromLog(const LeastSquaresFit& fit, const std::string& name,
                FrictionParameters* parameters) {
  const Estimate log = fit.EstimateOf("log_" + name);
  if (!(log.standard_error < kWellKnown)) {
    LeaveOpen(name,
              "the oscillations do not determine it: its error is half of it or more; oscillate "
              "with rests about as long as it, and through lower speeds",
              parameters);
    return;
  }
  const double value = std::exp(log.value);
  Estimate estimate{value, value * log.standard_error, value * log.half_width, std::nullopt};
  if (log.bootstrap) {
    estimate.bootstrap =
        BootstrapEstimate{value * log.bootstrap->standard_error, std::exp(log.bootstrap->low),
                          std::exp(log.bootstrap->high)};
  }
  Add(name, estimate, parameters);
}

// Why the oscillations determine nothing, or nothing.
std::string FindDwell(const FrictionRuns& runs, const std::map<std::string, double>& known,
                      const FitOptions& options, const std::string& where,
                      FrictionParameters* parameters) {
  if (runs.oscillation.empty()) {
    return "there is no oscillation in the data (experiment oscillation)";
  }
  std::string missing;
  const std::optional<BristleFriction> law = LawBefore(*parameters, known, &missing);
  if (!law) {
    return fmt::format("{} is not known: add slow and steady runs, or give it in `known`", missing);
  }
  std::string why = WhyNoDwell(*parameters, *law);
  if (!why.empty()) return why;
  try {
    parameters->oscillation =
        FitOscillation(runs.oscillation, *law, options, where + ": oscillations");
  } catch (const InvalidInput&) {
    return "the oscillations do not determine it: friction after a reversal hardly exceeds that of "
           "sliding; oscillate with longer rests, and through lower speeds";
  }
  const LeastSquaresFit& fit = *parameters->oscillation;
  parameters->oscillation_law = *law;
  parameters->oscillation_law.tau_dwell = std::exp(fit.x[0]);
  parameters->oscillation_law.v_stribeck = std::exp(fit.x[1]);
  AddFromLog(fit, "tau_dwell", parameters);
  AddFromLog(fit, "v_stribeck", parameters);
  parameters->notes.push_back(
      "the errors of tau_dwell and v_stribeck hold for the other parameters as they are found; the "
      "errors of those are not in them");
  return "";
}

}  // namespace

std::string FrictionParameters::Reasons() const {
  std::string text;
  for (const auto& [name, why] : open) {
    if (text.find(why) == std::string::npos) text += (text.empty() ? "" : "; ") + why;
  }
  return text;
}

FrictionParameters FitFriction(const FrictionRuns& runs, const std::map<std::string, double>& known,
                               const FitOptions& options, const std::string& where) {
  FrictionParameters parameters;
  FindSliding(runs, options, where, &parameters);
  FindBreakAway(runs, options, &parameters);
  const std::string why = FindDwell(runs, known, options, where, &parameters);
  if (!why.empty()) {
    for (const char* name : {"tau_dwell", "v_stribeck"}) LeaveOpen(name, why, &parameters);
  }
  for (const char* name : kFrictionNames) {
    if (parameters.open.count(name) == 0) {
      LeaveOpen(name, "the data do not show it", &parameters);
    }
  }
  return parameters;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
