// Solids whose surfaces nearly coincide against integrals made without this library.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/fit_cases.h"

namespace volcontact::testing::fits_test {
namespace {

// "No answer off by more than ten tolerances claims convergence."
constexpr double kTimesTolerance = 10.0;
// The error of the area vector, whatever the tolerance (Metrics::area_vector_W).
constexpr double kAreaNoise = 2e-6;
// What takes more makes no claim here, and would take minutes.
constexpr long kMaxCells = 20'000;
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

std::vector<std::string> NamesOfFamilies() {
  std::vector<std::string> names;
  for (const auto& [name, fits] : ByFamily()) names.push_back(name);
  return names;
}

// Roundings alone may keep an answer from converging: it is no worse for being asked for more.
constexpr double kWithoutConvergence = 5e-6;

void ExpectTrue(const Metrics& metrics, const FitCase& fit, double tolerance) {
  EXPECT_LE(ErrorsOf(metrics, fit).volume, kWithoutConvergence);
  EXPECT_LE(metrics.volume_error, kWithoutConvergence * fit.volume);
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
      options.max_cells = kMaxCells;
      ExpectTrue(pair.Query(fit.X_WA, Pose(), options), fit, tolerance);
      SCOPED_TRACE("A and B exchanged");
      ExpectTrue(exchanged.Query(Pose(), fit.X_WA, options), Exchanged(fit), tolerance);
    }
  }
}

// However thin the contact is, curves in charts are found without cells of space.
TEST(FitsOfCylinders, NeedNoCells) {
  QueryOptions options;
  options.bound_volume = false;
  for (const char* family : {"shaft_in_bore", "shaft_within_bore"}) {
    for (const FitCase& fit : CasesOf(family)) {
      const Metrics metrics = PreparedPair(fit.A, fit.B).Query(fit.X_WA, Pose(), options);
      EXPECT_TRUE(metrics.converged) << fit.id;
      EXPECT_EQ(metrics.stats.cells, 0) << fit.id;
    }
  }
}

// Where it is not found lines tell the area, to 1e-2, and a warning says so.
TEST(FitsOfRings, HaveTheAreaOfTheirOutline) {
  for (const char* family : {"ring_in_bore", "ring_on_piston"}) {
    for (const FitCase& fit : CasesOf(family)) {
      const Metrics metrics = PreparedPair(fit.A, fit.B).Query(fit.X_WA, Pose());
      EXPECT_TRUE(metrics.converged) << fit.id;
      EXPECT_TRUE(metrics.warnings.empty()) << fit.id << ": " << metrics.warnings.front();
    }
  }
}

std::string NameOf(const ::testing::TestParamInfo<std::string>& family) { return family.param; }

INSTANTIATE_TEST_SUITE_P(Families, Fits, ::testing::ValuesIn(NamesOfFamilies()), NameOf);

}  // namespace
}  // namespace volcontact::testing::fits_test
