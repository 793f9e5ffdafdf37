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
  const double tolerance = oracle.truth.uncertainty;
  ExpectMetrics(QueryWith(oracle.A, oracle.B, Method::kOctree, tolerance), oracle.truth, tolerance);
}

std::string CaseName(const ::testing::TestParamInfo<OracleCase>& info) { return info.param.id; }

INSTANTIATE_TEST_SUITE_P(Oracle, RandomCsgDigits,
                         ::testing::ValuesIn(LoadOracleCases("oracle/random_csg.json")), CaseName);

}  // namespace
}  // namespace volcontact::testing
