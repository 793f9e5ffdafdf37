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

/// Poisson's ratio to take where none is known: that of most metals. E* is 9 % lower for 0 and 21 %
/// higher for rubber's 0.5.
inline constexpr double kCommonPoisson = 0.3;

struct Material {
  std::string name;
  std::vector<std::string> also;  ///< other names
  double modulus = 0.0;           ///< Young's modulus [Pa]
  std::optional<double> poisson;  ///< Poisson's ratio
  std::optional<double> density;  ///< [kg/m³]
  std::string source, note;
};

struct VOLCONTACT_EXPORT MaterialTable {
  std::string origin;  ///< the file, or what stands for it in messages
  std::vector<Material> materials;
  std::string text;  ///< the table as read: JSON, with its "contacts" checked

  /// The material of this name. Throws InvalidInput that lists the names there are.
  const Material& Find(const std::string& name) const;
  /// The density of the material of this name [kg/m³]. Throws InvalidInput that lists the names, or
  /// says that the table has no density for it.
  double Density(const std::string& name) const;
};

/// data/materials.json, as the library was built with it.
VOLCONTACT_EXPORT MaterialTable BuiltInMaterials();
/// Reads a table. Throws InvalidInput that names the file and the entry that is wrong.
VOLCONTACT_EXPORT MaterialTable ReadMaterialTable(const std::filesystem::path& file);
/// The same of JSON text; `origin` stands for the file in messages.
VOLCONTACT_EXPORT MaterialTable ParseMaterialTable(const std::string& text,
                                                   const std::string& origin);

VOLCONTACT_NAMESPACE_END
