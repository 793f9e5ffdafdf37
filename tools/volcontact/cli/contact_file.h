// Files of contact parameters and of contact states.
#pragma once

#include <optional>
#include <string>

#include "cli/json_input.h"
#include "cli/output.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::tool {

/// What a file of contact parameters holds.
struct ContactFile {
  ContactParameters parameters;
  /// Speed of first contact for a contact without a state [m/s].
  std::optional<double> impact_speed;
};

/// Reads contact parameters (docs/contact_files.md). Throws InvalidInput that names the file, the
/// place in it and the cure.
ContactFile ReadContact(const JsonInput& input);

/// The same from an object that has other keys, too, which the caller checks.
ContactFile ReadContactMembers(const JsonInput& input);

/// Reads the state that `force` printed.
ContactState ReadContactState(const JsonInput& input);

Json StateJson(const ContactState& state);
Json StateRateJson(const ContactStateRate& rate);

}  // namespace volcontact::tool
