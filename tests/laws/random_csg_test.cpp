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
  for (const Method method : {Method::kAuto, Method::kBoundary}) {
    SCOPED_TRACE(MethodName(method));
    ExpectMetrics(QueryWith(A, B, method, 1e-3), oracle.truth, 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Oracle, RandomCsg,
                         ::testing::ValuesIn(LoadOracleCases("oracle/random_csg.json")),
                         OracleCaseName);

}  // namespace
}  // namespace volcontact::testing
