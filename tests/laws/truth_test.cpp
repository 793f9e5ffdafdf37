// Queries by every method against independently computed metrics.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "support/oracle_cases.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing {
namespace {

constexpr double kTolerances[] = {1e-3, 1e-6, 1e-10};
constexpr double kColumnTolerance = 1e-6;
// "Some ulps at any depth."
constexpr double kClosedFormTolerance = 1e-13;

// The answer of the closed form, or nullopt where there is none.
std::optional<Metrics> TryClosedForm(const Solid& A, const Solid& B) {
  try {
    return QueryWith(A, B, Method::kClosedForm, 1e-6);
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("no formula"), std::string::npos) << error.what();
    return std::nullopt;
  }
}

// Cases of which roundings leave too little in the frame of an overlap 1e-8 of the size thick:
// columns answer there, and have to be as right.
bool MayUseColumns(const std::string& id, double tolerance) {
  return id == "thin_capsule_lying_hs_1e_8" ||
         (id == "thin_torus_flat_hs_1e_8" && tolerance < 1e-6);
}

class Truthful : public ::testing::TestWithParam<OracleCase> {};

TEST_P(Truthful, Boundary) {
  const OracleCase& oracle = GetParam();
  const Solid A = oracle.A(), B = oracle.B();
  for (const double tolerance : kTolerances) {
    SCOPED_TRACE(::testing::Message() << "boundary at " << tolerance);
    const Metrics metrics = QueryWith(A, B, Method::kBoundary, tolerance);
    ExpectMetrics(metrics, oracle.truth, tolerance);
    const bool is_boundary = MethodName(metrics.method) == "boundary";
    EXPECT_TRUE(is_boundary || MayUseColumns(oracle.id, tolerance)) << metrics.stats.fallback;
    EXPECT_TRUE(metrics.volume_bounds);
    EXPECT_EQ(metrics.tolerance, tolerance);
  }
}

TEST_P(Truthful, Shortcuts) {
  const OracleCase& oracle = GetParam();
  const Solid A = oracle.A(), B = oracle.B();
  for (const double tolerance : kTolerances) {
    SCOPED_TRACE(::testing::Message() << "auto at " << tolerance);
    ExpectMetrics(QueryWith(A, B, Method::kAuto, tolerance), oracle.truth, tolerance);
  }
  if (const std::optional<Metrics> metrics = TryClosedForm(A, B)) {
    SCOPED_TRACE("closed form");
    ExpectMetrics(*metrics, oracle.truth, kClosedFormTolerance);
    EXPECT_EQ(MethodName(metrics->method), "closed_form");
    EXPECT_TRUE(metrics->volume_bounds);
  }
}

// The check by other means, which may fall short where many surfaces meet, and says so.
TEST_P(Truthful, Columns) {
  const OracleCase& oracle = GetParam();
  const Metrics metrics = QueryWith(oracle.A(), oracle.B(), Method::kColumns, kColumnTolerance);
  EXPECT_EQ(MethodName(metrics.method), "columns");
  ASSERT_TRUE(metrics.volume_bounds);
  if (metrics.converged) return ExpectMetrics(metrics, oracle.truth, kColumnTolerance);
  EXPECT_LE(std::abs(metrics.volume - oracle.truth.volume), 10.0 * metrics.volume_error);
  EXPECT_LE((*metrics.volume_bounds)[0], oracle.truth.volume * (1.0 + oracle.truth.uncertainty));
  EXPECT_GE((*metrics.volume_bounds)[1], oracle.truth.volume * (1.0 - oracle.truth.uncertainty));
}

TEST_P(Truthful, SwappedSolidsReverseTheNormal) {
  const OracleCase& oracle = GetParam();
  const Solid A = oracle.A(), B = oracle.B();
  if (!std::isfinite(oracle.truth.area_uncertainty)) GTEST_SKIP() << "coincident faces";
  for (const Method method : {Method::kAuto, Method::kBoundary}) {
    SCOPED_TRACE(MethodName(method));
    ExpectReversed(QueryWith(A, B, method, 1e-6), QueryWith(B, A, method, 1e-6), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Sample, Truthful,
                         ::testing::ValuesIn(LoadOracleCases("laws/data/truth_sample.json")),
                         OracleCaseName);
INSTANTIATE_TEST_SUITE_P(Pairs, Truthful, ::testing::ValuesIn(LoadOracleCases("oracle/pairs.json")),
                         OracleCaseName);

}  // namespace
}  // namespace volcontact::testing
