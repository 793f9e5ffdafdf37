// The answer of `check`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "volcontact/solids/mesh_check.h"

namespace volcontact::tool {

/// A mesh as it was read or repaired, and what is known about it.
struct Checked {
  MeshReport report;
  std::vector<std::string> notes, repairs;
  std::optional<double> volume_change, area_change;  ///< of a repair

  /// By so much that the part deserves a look.
  bool ChangedMuch() const;
};

Json CheckJson(const Checked& checked);
std::string CheckTable(const Checked& checked);
/// How much a repair has changed, in words.
std::string ChangeText(const Checked& checked);

}  // namespace volcontact::tool
