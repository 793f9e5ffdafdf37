// Random combinations of solids against independently computed metrics.
#include <gtest/gtest.h>

#include <string>

#include "support/metrics_checks.h"
#include "support/oracle_cases.h"

namespace volcontact::testing {
namespace {

class RandomCsg : public ::testing::TestWithParam<OracleCase> {};

TEST_P(RandomCsg, IsWithinTheTolerance) {
  const OracleCase& oracle = GetParam();
  const Solid A = oracle.A(), B = oracle.B();
  for (const double tolerance : {1e-3, 1e-6}) {
    SCOPED_TRACE(::testing::Message() << "octree at " << tolerance);
    ExpectMetrics(QueryWith(A, B, Method::kOctree, tolerance), oracle.truth, tolerance);
  }
}

TEST_P(RandomCsg, AutoAnswersWithinTheTolerance) {
  const OracleCase& oracle = GetParam();
  const Solid A = oracle.A(), B = oracle.B();
  ExpectMetrics(QueryWith(A, B, Method::kAuto, 1e-5), oracle.truth, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Oracle, RandomCsg,
                         ::testing::ValuesIn(LoadOracleCases("oracle/random_csg.json")),
                         OracleCaseName);

}  // namespace
}  // namespace volcontact::testing
