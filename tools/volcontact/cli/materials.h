// The table of materials and of contacts from the papers (data/materials.json).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"

namespace volcontact::tool {

struct Material {
  std::string name;
  std::vector<std::string> also;  ///< other names
  double modulus = 0.0;           ///< Young's modulus [Pa]
  std::optional<double> poisson;
  std::string source, note;
};

struct MaterialTable {
  std::string origin;  ///< the file, or what stands for it in messages
  std::vector<Material> materials;
  Json json;  ///< the table as read

  /// The material of this name. Throws InvalidInput that lists the names there are.
  const Material& Find(const std::string& name) const;
};

/// The table in a file, or the one that the tool was built with if the name is empty. Throws
/// InvalidInput that names the file and the entry that is wrong.
MaterialTable ReadMaterials(const std::string& file);

}  // namespace volcontact::tool
