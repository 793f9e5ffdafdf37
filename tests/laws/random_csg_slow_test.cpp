// Random combinations of solids to all digits to which their metrics are known.
#include <gtest/gtest.h>

#include <string>

#include "support/metrics_checks.h"
#include "support/oracle_cases.h"

namespace volcontact::testing {
namespace {

class RandomCsgDigits : public ::testing::TestWithParam<OracleCase> {};

TEST_P(RandomCsgDigits, AreAllThere) {
  const OracleCase& oracle = GetParam();
  const Solid A = oracle.A(), B = oracle.B();
  for (const Method method : {Method::kAuto, Method::kBoundary}) {
    for (const double tolerance : {1e-6, oracle.truth.uncertainty}) {
      SCOPED_TRACE(::testing::Message() << MethodName(method) << " at " << tolerance);
      ExpectMetrics(QueryWith(A, B, method, tolerance), oracle.truth, tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Oracle, RandomCsgDigits,
                         ::testing::ValuesIn(LoadOracleCases("oracle/random_csg.json")),
                         OracleCaseName);

}  // namespace
}  // namespace volcontact::testing
