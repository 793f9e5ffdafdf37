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

/// The shared libraries that go into FMUs, made with volcontact.
inline constexpr char kContactLibrary[] = "volcontact_fmu.so";
inline constexpr char kScenarioLibrary[] = "volcontact_fmu_scenario.so";

struct FmuOptions {
  int version = 2;  ///< of the interface, 2 or 3
  /// Where kContactLibrary is, or kScenarioLibrary. It must export the functions of this version.
  std::filesystem::path library;
};

/// What a scenario has besides.
struct ScenarioFmuOptions : FmuOptions {
  std::string variant;           ///< of a scenario that has several
  std::vector<std::string> set;  ///< `path=value`, as ReadScenarioFile takes them
};

/// What was written. A plain value.
struct FmuReport {
  std::string model;  ///< model identifier, the name of the library in the FMU
  std::string token;  ///< GUID, or instantiation token: follows from the contents
  int inputs = 0, outputs = 0, states = 0, parameters = 0;
  bool directional_derivatives = false;
  std::vector<std::string> resources;  ///< files of the solids that went into the FMU
  std::vector<std::string> libraries;  ///< that went into the FMU beside ours, which needs them
  std::vector<std::string> notes;      ///< what to know, such as why there are no derivatives
};

/// Writes the FMU of the contact in a file (docs/engines.md says what stands in it), with all files
/// that it names; its name must end in ".fmu". Equal inputs give equal bytes. Throws InvalidInput
/// that names the file, the place in it and the cure, and std::runtime_error where the FMU cannot
/// be written. Any number of threads may call it, for different FMUs.
VOLCONTACT_EXPORT FmuReport ExportFmu(const std::filesystem::path& contact_file,
                                      const std::filesystem::path& fmu, const FmuOptions& options);

/// Whether a file is a scenario's, which has bodies, and not a contact's. Throws InvalidInput for a
/// file that cannot be read.
VOLCONTACT_EXPORT bool IsScenarioFile(const std::filesystem::path& file);

/// Writes the FMU of a scenario, with all files that its solids name, and with the shared libraries
/// that it needs besides the C library: those that the calling process has loaded, Simbody's and
/// what they need, with their licenses where the distribution has them. Throws as ExportFmu, for
/// scenarios that make no model that can start, and where volcontact was built without Simbody.
VOLCONTACT_EXPORT FmuReport ExportScenarioFmu(const std::filesystem::path& scenario_file,
                                              const std::filesystem::path& fmu,
                                              const ScenarioFmuOptions& options);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
