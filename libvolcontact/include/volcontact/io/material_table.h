// Tables of materials, and of contacts that somebody measured or simulated (data/materials.json).
//
// All functions may be called by any threads at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

struct Material {
  std::string name;
  std::vector<std::string> also;  ///< other names
  double modulus = 0.0;           ///< Young's modulus [Pa]
  std::optional<double> poisson;  ///< Poisson's ratio
  std::string source, note;
};

struct VOLCONTACT_EXPORT MaterialTable {
  std::string origin;  ///< the file, or what stands for it in messages
  std::vector<Material> materials;
  std::string text;  ///< the table as read: JSON, with its "contacts" checked

  /// The material of this name. Throws InvalidInput that lists the names there are.
  const Material& Find(const std::string& name) const;
};

/// Reads a table. Throws InvalidInput that names the file and the entry that is wrong.
VOLCONTACT_EXPORT MaterialTable ReadMaterialTable(const std::filesystem::path& file);
/// The same of JSON text; `origin` stands for the file in messages.
VOLCONTACT_EXPORT MaterialTable ParseMaterialTable(const std::string& text,
                                                   const std::string& origin);

VOLCONTACT_NAMESPACE_END
