// Files of contact parameters and of contact states (docs/contact_files.md).
//
// All functions may be called by any threads at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN
/// The contents of a file of contact parameters.
struct ContactFile {
  ContactParameters parameters;
  /// Speed of first contact for a contact without a state [m/s].
  std::optional<double> impact_speed;
};

/// Reads contact parameters. Throws InvalidInput that names the file, the place in it and the cure.
VOLCONTACT_EXPORT ContactFile ReadContactFile(const std::filesystem::path& file);
/// The same of JSON text; `origin` stands for the file in messages.
VOLCONTACT_EXPORT ContactFile ParseContactFile(const std::string& text, const std::string& origin);

/// Reads the state of a contact, as `volcontact force --json` prints it. Throws as ReadContactFile.
VOLCONTACT_EXPORT ContactState ReadContactState(const std::filesystem::path& file);

VOLCONTACT_NAMESPACE_END
