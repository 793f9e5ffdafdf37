// Solids whose surfaces nearly coincide against integrals made without this library.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/fit_cases.h"

namespace volcontact::testing {
namespace {

// "No answer off by more than ten tolerances claims convergence."
constexpr double kTimesTolerance = 10.0;
// Of the area vector, whatever the tolerance (Metrics::area_vector_W).
constexpr double kAreaNoise = 2e-6;
constexpr double kTolerances[] = {1e-6, 1e-9};

std::map<std::string, std::vector<FitCase>> ByFamily() {
  std::map<std::string, std::vector<FitCase>> families;
  for (FitCase& fit : LoadFitCases()) families[fit.family].push_back(std::move(fit));
  return families;
}

const std::vector<FitCase>& CasesOf(const std::string& family) {
  static const auto families = ByFamily();
  return families.at(family);
}

void ExpectTrue(const Metrics& metrics, const FitCase& fit, double tolerance) {
  if (metrics.volume_bounds) {
    EXPECT_LE((*metrics.volume_bounds)[0], fit.volume * (1.0 + fit.uncertainty));
    EXPECT_GE((*metrics.volume_bounds)[1], fit.volume * (1.0 - fit.uncertainty));
  }
  if (!metrics.converged) return;
  ASSERT_TRUE(metrics.overlap);
  const double allowed = kTimesTolerance * tolerance + fit.uncertainty;
  const FitErrors errors = ErrorsOf(metrics, fit);
  EXPECT_LE(errors.volume, allowed);
  EXPECT_LE(errors.centroid, allowed);
  EXPECT_LE(errors.area_vector, std::max(allowed, kAreaNoise));
}

FitCase Exchanged(FitCase fit) {
  fit.area_vector = -fit.area_vector;
  return fit;
}

class Fits : public ::testing::TestWithParam<std::string> {};

TEST_P(Fits, ClaimsAreTrue) {
  for (const FitCase& fit : CasesOf(GetParam())) {
    const PreparedPair pair(fit.A, fit.B), exchanged(fit.B, fit.A);
    for (const double tolerance : kTolerances) {
      SCOPED_TRACE(fit.id + " at " + std::to_string(tolerance));
      QueryOptions options;
      options.tolerance = tolerance;
      ExpectTrue(pair.Query(fit.X_WA, Pose(), options), fit, tolerance);
      SCOPED_TRACE("A and B exchanged");
      ExpectTrue(exchanged.Query(Pose(), fit.X_WA, options), Exchanged(fit), tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Fits,
                         ::testing::Values("shaft_in_bore", "shaft_within_bore", "ball_in_socket",
                                           "cone_in_seat", "ellipsoid_in_pocket", "ring_in_groove",
                                           "ring_on_plane", "ring_in_bore", "ring_on_piston",
                                           "ball_in_race", "ring_and_box", "two_rings"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace volcontact::testing
