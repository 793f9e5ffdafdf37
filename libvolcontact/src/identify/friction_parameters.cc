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
    sliding.reason = error.what();
  }
  const std::string left_out = sliding.LeftOut();
  if (!left_out.empty()) parameters->notes.push_back(left_out);
  for (const char* name : {"mu_c", "sigma2"}) {
    if (sliding.fit) {
      Add(name, sliding.fit->EstimateOf(name), parameters);
    } else {
      LeaveOpen(name, sliding.reason, parameters);
    }
  }
  if (!sliding.fit) return;
  const Estimate& sigma2 = parameters->found["sigma2"];
  if (std::abs(sigma2.value) < sigma2.half_width) {
    parameters->notes.push_back(
        "viscous friction does not stand out from the scatter: sigma2 may be zero");
  }
}

// The place of a parameter in a fit, or nothing.
std::optional<Index> IndexOf(const LeastSquaresFit& fit, const std::string& name) {
  const auto found = std::find(fit.names.begin(), fit.names.end(), name);
  if (found == fit.names.end()) return std::nullopt;
  return found - fit.names.begin();
}

// The mean of a parameter over the runs that have it, for the sigma2 that was taken.
std::optional<Estimate> MeanOf(const std::vector<BreakAway>& runs, const std::string& name,
                               std::vector<std::string>* notes) {
  std::vector<Estimate> estimates;
  for (const BreakAway& run : runs) {
    if (IndexOf(run.fit, name)) estimates.push_back(run.fit.EstimateOf(name));
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
    notes->push_back(
        name +
        ": the runs scatter by more than their own errors, so the error is that of the scatter");
  }
  return Estimate{mean.value, mean.standard_error, mean.half_width, std::nullopt};
}

// How the means over the runs come about, for what they have in common: of each name of kFixedNames
// the weights of the runs (zero: it comes from elsewhere).
Eigen::MatrixXd WeightsOf(const FrictionParameters& parameters) {
  const Index n = static_cast<Index>(parameters.break_aways.size());
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(5, n);
  for (Index k = 0; k < 5; ++k) {
    if (parameters.from_break_away.count(kFixedNames[k]) == 0) continue;
    for (Index i = 0; i < n; ++i) {
      const LeastSquaresFit& fit = parameters.break_aways[static_cast<std::size_t>(i)].fit;
      const auto at = IndexOf(fit, kFixedNames[k]);
      if (at) weights(k, i) = 1.0 / std::max(fit.covariance(*at, *at), 1e-300);
    }
    weights.row(k) /= weights.row(k).sum();
  }
  return weights;
}

// The covariance of what oscillations hold fixed: of sliding, of each break-away, and of
// break-aways with sliding, whose sigma2 they took. What the runs scatter by counts instead of
// their own errors.
FixedCovariance CovarianceOf(const FrictionParameters& parameters) {
  FixedCovariance covariance = FixedCovariance::Zero();
  const Eigen::MatrixXd weights = WeightsOf(parameters);
  Eigen::Matrix<double, 5, 1> by_sigma2 = Eigen::Matrix<double, 5, 1>::Zero();
  for (Index i = 0; i < weights.cols(); ++i) {
    const BreakAway& run = parameters.break_aways[static_cast<std::size_t>(i)];
    for (Index k = 0; k < 5; ++k) {
      const auto row = IndexOf(run.fit, kFixedNames[k]);
      if (!row || weights(k, i) == 0.0) continue;
      by_sigma2[k] += weights(k, i) * run.by_sigma2[*row];
      for (Index m = 0; m < 5; ++m) {
        const auto column = IndexOf(run.fit, kFixedNames[m]);
        if (!column) continue;
        covariance(k, m) += weights(k, i) * weights(m, i) * run.fit.covariance(*row, *column);
      }
    }
  }
  Eigen::Matrix<double, 5, 1> scatter = Eigen::Matrix<double, 5, 1>::Ones();
  for (Index k = 0; k < 5; ++k) {
    const auto own = parameters.from_break_away.find(kFixedNames[k]);
    if (own != parameters.from_break_away.end() && covariance(k, k) > 0.0) {
      scatter[k] = own->second / std::sqrt(covariance(k, k));
    }
  }
  covariance = (scatter.asDiagonal() * covariance * scatter.asDiagonal()).eval();
  if (!parameters.sliding.fit) return covariance;
  const Eigen::MatrixXd& sliding = parameters.sliding.fit->covariance;  // of mu_c, sigma2
  constexpr Index kMuC = 1, kSigma2 = 4;
  covariance += sliding(1, 1) * by_sigma2 * by_sigma2.transpose();
  for (const auto& [at, column] : {std::pair{kMuC, 0}, {kSigma2, 1}}) {
    covariance.col(at) += by_sigma2 * sliding(column, 1);
    covariance.row(at) += by_sigma2.transpose() * sliding(column, 1);
    covariance(at, at) += sliding(column, column);
  }
  covariance(kMuC, kSigma2) += sliding(0, 1);
  covariance(kSigma2, kMuC) += sliding(0, 1);
  return covariance;
}

// Adds to the errors of means over break-aways what follows from the error of the sigma2 that they
// took.
void AddErrorOfSigma2(FrictionParameters* parameters) {
  if (!parameters->sliding.fit) return;
  const double error = parameters->sliding.fit->StandardError(1);
  for (const auto& [name, own] : parameters->from_break_away) {
    double shift = 0.0, weights = 0.0;
    for (const BreakAway& run : parameters->break_aways) {
      const auto at = IndexOf(run.fit, name);
      if (!at) continue;
      const double weight = 1.0 / std::max(run.fit.covariance(*at, *at), 1e-300);
      shift += weight * run.by_sigma2[*at];
      weights += weight;
    }
    Estimate& estimate = parameters->found.at(name);
    const double added = std::abs(shift / weights) * error;
    if (!(added > 0.0) || !(own > 0.0)) continue;
    const double total = std::hypot(own, added);
    estimate.half_width *= total / own;
    estimate.standard_error = total;
    if (estimate.bootstrap) {
      BootstrapEstimate& bootstrap = *estimate.bootstrap;
      bootstrap.low = estimate.value - total / own * (estimate.value - bootstrap.low);
      bootstrap.high = estimate.value + total / own * (bootstrap.high - estimate.value);
      bootstrap.standard_error *= total / own;
    }
  }
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
    if (!mean) continue;
    Add(name, *mean, parameters);
    parameters->from_break_away[name] = mean->standard_error;
  }
  AddErrorOfSigma2(parameters);
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
std::string ReasonForNoDwell(const FrictionParameters& parameters, const BristleFriction& law) {
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
      "static and sliding friction hardly differ (mu_s - mu_c = {:.3g} +- {:.2g}), so the data do "
      "not show how stiction grows and falls",
      difference, error);
}

// A parameter from its logarithm, if that is known well enough.
void AddFromLog(const LeastSquaresFit& fit, const std::string& name,
                FrictionParameters* parameters) {
  const Estimate log = fit.EstimateOf("log_" + name);
  if (!(log.standard_error < kWellKnown)) {
    LeaveOpen(name,
              "the oscillations do not determine it: its error is half of its value or more; "
              "oscillate with rests of about that time, and through lower speeds",
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
  std::string why = ReasonForNoDwell(*parameters, *law);
  if (!why.empty()) return why;
  try {
    parameters->oscillation = FitOscillation(runs.oscillation, *law, CovarianceOf(*parameters),
                                             options, where + ": oscillations");
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
  for (const char* name : kFixedNames) {
    if (parameters->found.count(name) > 0 || known.count(name) == 0) continue;
    parameters->notes.push_back(fmt::format(
        "{} was given, not found: the errors of tau_dwell and v_stribeck assume that it is exact",
        name));
  }
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
