// Cases whose metrics were computed independently of this library; see tests/oracle/README.md.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "volcontact/solids/solid.h"

namespace volcontact::testing {

struct OracleCase {
  std::string id;  ///< of letters, digits and underscores
  Solid A, B;
  Truth truth;

  friend void PrintTo(const OracleCase& oracle, std::ostream* out) { *out << oracle.id; }
};

/// The cases without meshes of a file, named relative to the tests' directory.
std::vector<OracleCase> LoadOracleCases(const std::string& file);

}  // namespace volcontact::testing
