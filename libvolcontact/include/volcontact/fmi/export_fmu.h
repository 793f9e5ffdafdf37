// Contacts and scenarios as FMUs, for tools that import them (Functional Mock-up Interface 2.0 and
// 3.0: contacts for model exchange, scenarios for co-simulation; docs/engines.md).
//
// Component volcontact::fmi.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// The shared libraries for FMUs, which are built with volcontact.
inline constexpr char kContactLibrary[] = "volcontact_fmu.so";
inline constexpr char kScenarioLibrary[] = "volcontact_fmu_scenario.so";

struct FmuOptions {
  int version = 2;  ///< of the interface, 2 or 3
  /// Path of kContactLibrary or kScenarioLibrary. It must export the functions of this version.
  std::filesystem::path library;
};

/// Additional options of a scenario.
struct ScenarioFmuOptions : FmuOptions {
  std::string variant;           ///< of a scenario that has several
  std::vector<std::string> set;  ///< `path=value`, as ReadScenarioFile takes them
};

/// A report on the FMU that was written. A plain value.
struct FmuReport {
  std::string model;  ///< model identifier, the name of the library in the FMU
  std::string token;  ///< GUID, or instantiation token: follows from the contents
  int inputs = 0, outputs = 0, states = 0, parameters = 0;
  bool directional_derivatives = false;
  std::vector<std::string> resources;  ///< files of the solids in the FMU
  std::vector<std::string> libraries;  ///< other libraries in the FMU that ours needs
  std::vector<std::string> notes;      ///< notes, such as why there are no derivatives
};

/// Writes the FMU of the contact in a file (docs/engines.md describes it), with all files that it
/// names. The FMU's name must end in ".fmu". Equal inputs give equal bytes. Throws InvalidInput
/// that says what is wrong, where in the file, and what to do, and std::runtime_error if the FMU
/// cannot be written. Any number of threads may call it, for different FMUs.
VOLCONTACT_EXPORT FmuReport ExportFmu(const std::filesystem::path& contact_file,
                                      const std::filesystem::path& fmu, const FmuOptions& options);

/// Whether a file is a scenario (with bodies), not a contact. Throws InvalidInput for a file that
/// cannot be read.
VOLCONTACT_EXPORT bool IsScenarioFile(const std::filesystem::path& file);

/// Writes the FMU of a scenario, with all files that its solids name, and with the shared libraries
/// that it needs besides the C library. These are the ones that the calling process has loaded:
/// Simbody's and their dependencies, with their licenses if the distribution has them. Throws as
/// ExportFmu does, for scenarios that cannot start, and if volcontact was built without Simbody.
VOLCONTACT_EXPORT FmuReport ExportScenarioFmu(const std::filesystem::path& scenario_file,
                                              const std::filesystem::path& fmu,
                                              const ScenarioFmuOptions& options);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
