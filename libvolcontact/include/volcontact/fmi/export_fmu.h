// Contacts as FMUs, for tools that import them (Functional Mock-up Interface 2.0 and 3.0, model
// exchange; docs/engines.md).
//
// Component volcontact::fmi.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

struct FmuOptions {
  int version = 2;  ///< of the interface, 2 or 3
  /// The shared library that goes into the FMU, `volcontact_fmu.so`, made with volcontact.
  /// It must export the functions of this version.
  std::filesystem::path library;
};

/// What was written. A plain value.
struct FmuReport {
  std::string model;  ///< model identifier, the name of the library in the FMU
  std::string token;  ///< GUID, or instantiation token: follows from the contents
  int inputs = 0, outputs = 0, states = 0, parameters = 0;
  bool directional_derivatives = false;
  std::vector<std::string> resources;  ///< files of the contact that went into the FMU
  std::vector<std::string> notes;      ///< what to know, such as why there are no derivatives
};

/// Writes the FMU of the contact in a file (docs/engines.md says what stands in it), with all files
/// that it names; its name must end in ".fmu". Equal inputs give equal bytes. Throws InvalidInput
/// that names the file, the place in it and the cure, and std::runtime_error where the FMU cannot
/// be written. Any number of threads may call it, for different FMUs.
VOLCONTACT_EXPORT FmuReport ExportFmu(const std::filesystem::path& contact_file,
                                      const std::filesystem::path& fmu, const FmuOptions& options);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
