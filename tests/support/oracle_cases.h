// Cases whose metrics were computed independently of this library; see tests/oracle/README.md.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "volcontact/solids/solid.h"

namespace volcontact::testing {

struct OracleCase {
  std::string id;  ///< of letters, digits and underscores
  std::shared_ptr<const nlohmann::json> json;
  Truth truth;

  /// The solids, read only now: every test of an executable pays for listing all the cases.
  Solid A() const;
  Solid B() const;

  friend void PrintTo(const OracleCase& oracle, std::ostream* out) { *out << oracle.id; }
};

/// The name of a parametrised test.
std::string OracleCaseName(const ::testing::TestParamInfo<OracleCase>& info);

/// The cases without meshes of a file, named relative to the tests' directory.
std::vector<OracleCase> LoadOracleCases(const std::string& file);

}  // namespace volcontact::testing
