// Queries pairs of solids whose surfaces nearly coincide; writes docs/benchmarks_fits.md, and to
// standard error each answer that is wrong.
//
//   fits_survey [CASES [FAMILY]]
//
// What is true is known from integrals made without the library (tests/oracle/fits).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "support/fit_cases.h"
#include "survey_head.h"
#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

using testing::ErrorsOf;
using testing::FitCase;
using testing::FitErrors;

constexpr double kTolerances[] = {1e-6, 1e-9};
// The best of so many runs; slow ones run once.
constexpr int kRepeats = 3;
constexpr double kSlow = 0.02;  // [s]
// More is a fault in an answer that claims convergence; of area vectors 2e-6 is none.
constexpr double kTimesTolerance = 10.0, kAreaNoise = 2e-6;

constexpr const char* kHeader = R"(# Surfaces that nearly coincide

Written by `fits_survey > docs/benchmarks_fits.md` (target `fits_survey`); do not edit.

{}, {}, {}, one core.

The pairs are fits: shafts in bores, balls in sockets, cones in seats, rings in grooves. They are pressed into each
other by 2 % to 50 % of their clearance. The clearance is 1e-1 to 1e-6 of the radius (rings in grooves: 1e-1 to 1e-4
of their thickness). Rings lie on a plane, in a bore or on a piston, 1e-5 to 1e-2 of their thickness deep, tilted by
0 to 1e-2. Balls lie 1e-5 to 1e-3 of their radius deep in races of 52 %. Rings and boxes are deep overlaps at random
poses.

- Times are processor times of a query of all metrics, the best of {} runs. "Step" is the median without
  `bound_volume` and `contact_area`, as for forces along the area vector.
- Errors are those of answers that claim convergence, in either order of A and B. The true values are integrals made
  without the library (`tests/oracle/README.md`). The error of V is relative to V, that of the centroid to the
  radius of gyration, that of the area vector to the area of its faces.
- "Exchanged" is the largest difference of V after an exchange of A and B, if both converged.
- "Wrong" counts answers that claim convergence and are off by more than ten tolerances (area vectors: and by more
  than 2e-6).

| pair | tolerance | n | median [ms] | worst [ms] | step [ms] | not converged | wrong | V | centroid | area vector | exchanged |
|---|---|---|---|---|---|---|---|---|---|---|---|
)";

struct Tally {
  std::vector<double> seconds, of_step;
  int not_converged = 0, wrong = 0;
  FitErrors worst;
  double exchanged = 0.0;
};

Metrics Timed(const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB,
              const QueryOptions& options, double* seconds) {
  Metrics metrics;
  *seconds = 1e300;
  for (int n = 0; n < kRepeats; ++n) {
    const std::clock_t start = std::clock();
    metrics = pair.Query(X_WA, X_WB, options);
    const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    *seconds = std::min(*seconds, taken);
    if (taken > kSlow) break;
  }
  return metrics;
}

void Judge(const Metrics& metrics, const FitCase& fit, double tolerance, const char* order,
           Tally* tally) {
  if (!metrics.converged) {
    ++tally->not_converged;
    return;
  }
  const FitErrors errors = metrics.overlap ? ErrorsOf(metrics, fit) : FitErrors{1.0, 1.0, 1.0};
  tally->worst.volume = std::max(tally->worst.volume, errors.volume);
  tally->worst.centroid = std::max(tally->worst.centroid, errors.centroid);
  tally->worst.area_vector = std::max(tally->worst.area_vector, errors.area_vector);
  const double allowed = kTimesTolerance * tolerance + fit.uncertainty;
  if (errors.volume <= allowed && errors.centroid <= allowed &&
      errors.area_vector <= std::max(allowed, kAreaNoise)) {
    return;
  }
  ++tally->wrong;
  fmt::print(stderr, "{} {} at {:.0e}: V {:.1e}, centroid {:.1e}, area vector {:.1e}, {}\n", fit.id,
             order, tolerance, errors.volume, errors.centroid, errors.area_vector,
             metrics.stats.fallback.empty() ? "by edges" : metrics.stats.fallback);
}

void Add(const FitCase& fit, double tolerance, Tally* tally) {
  QueryOptions options;
  options.tolerance = tolerance;
  double seconds;
  const Metrics one = Timed(PreparedPair(fit.A, fit.B), fit.X_WA, Pose(), options, &seconds);
  tally->seconds.push_back(seconds);
  options.bound_volume = options.contact_area = false;
  Timed(PreparedPair(fit.A, fit.B), fit.X_WA, Pose(), options, &seconds);
  tally->of_step.push_back(seconds);
  options.bound_volume = options.contact_area = true;
  Judge(one, fit, tolerance, "A, B", tally);
  FitCase exchanged = fit;
  exchanged.area_vector = -fit.area_vector;
  const Metrics other = PreparedPair(fit.B, fit.A).Query(Pose(), fit.X_WA, options);
  Judge(other, exchanged, tolerance, "B, A", tally);
  if (!one.converged || !other.converged) return;
  tally->exchanged = std::max(tally->exchanged, std::abs(one.volume / other.volume - 1.0));
}

std::string Spoken(std::string family) {
  std::replace(family.begin(), family.end(), '_', ' ');
  return family;
}

// A quantile [ms].
double Part(double part, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const double last = static_cast<double>(seconds.size() - 1);
  return 1e3 * seconds[static_cast<std::size_t>(std::ceil(part * last))];
}

// Twice as many answers as cases: both orders count for what did not converge or is wrong.
void Survey(const std::vector<FitCase>& cases, double tolerance) {
  Tally tally;
  for (const FitCase& fit : cases) Add(fit, tolerance, &tally);
  fmt::print("| {} | {:.0e} | {} | {:.2f} | {:.2f} | {:.2f} | {} of {} | {} | ",
             Spoken(cases.front().family), tolerance, cases.size(), Part(0.5, tally.seconds),
             Part(1.0, tally.seconds), Part(0.5, tally.of_step), tally.not_converged,
             2 * cases.size(), tally.wrong);
  fmt::print("{:.1e} | {:.1e} | {:.1e} | {:.1e} |\n", tally.worst.volume, tally.worst.centroid,
             tally.worst.area_vector, tally.exchanged);
  std::fflush(stdout);
}

void Run(std::size_t most, const std::string& wanted) {
  fmt::print(kHeader, Today(), Compiler(), Machine(), kRepeats);
  const std::vector<FitCase> all = testing::LoadFitCases();
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(),
                                   [&](const FitCase& fit) { return fit.family != first->family; });
    const std::size_t count = std::min(most, static_cast<std::size_t>(last - first));
    if (wanted.empty() || first->family == wanted) {
      for (const double tolerance : kTolerances) {
        Survey({first, first + static_cast<std::ptrdiff_t>(count)}, tolerance);
      }
    }
    first = last;
  }
}

}  // namespace
}  // namespace volcontact::bench

int main(int count, char** arguments) {
  const int most = count > 1 ? std::atoi(arguments[1]) : 1000;
  if (most < 1) {
    std::fprintf(stderr, "usage: fits_survey [CASES [FAMILY]]\n");
    return 2;
  }
  volcontact::bench::Run(static_cast<std::size_t>(most), count > 2 ? arguments[2] : "");
  return 0;
}
