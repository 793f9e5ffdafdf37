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
  const double tolerance = oracle.truth.uncertainty;
  ExpectMetrics(QueryWith(A, B, Method::kOctree, tolerance), oracle.truth, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Oracle, RandomCsgDigits,
                         ::testing::ValuesIn(LoadOracleCases("oracle/random_csg.json")),
                         OracleCaseName);

}  // namespace
}  // namespace volcontact::testing
