// The contact parameters within a larger object, as in a scenario.
#pragma once

#include "io/json_cursor.h"
#include "volcontact/scenario/contact_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The members of a contact file that an object has; whether it has others the caller checks.
ContactFile ReadContactMembers(const JsonCursor& input);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
