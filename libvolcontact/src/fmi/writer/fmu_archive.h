// The archive that an FMU is.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fmi/writer/model_description.h"
#include "fmi/writer/zip_file.h"
#include "volcontact/fmi/export_fmu.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// What goes into an FMU.
struct FmuContents {
  ModelDescription model;  ///< but for the identifier and the token
  std::string file;        ///< name of the file in the resources that says what the FMU is
  nlohmann::json top;      ///< and what stands in it, but for the token
  std::vector<ZipMember> resources;  ///< beside it
  std::string library;
  std::vector<ZipMember> libraries;  ///< beside the library, which it needs
  std::vector<ZipMember> licenses;   ///< of these
};

/// Throws InvalidInput for a version of the interface that is not known, and a name that no
/// importer takes.
void RequireFmuOptions(const std::filesystem::path& fmu, const FmuOptions& options);

/// Writes the FMU. Equal contents give equal bytes, and a token that follows from what the file and
/// the resources say. Throws std::runtime_error where it cannot be written.
FmuReport WriteFmu(const std::filesystem::path& fmu, FmuContents contents);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
